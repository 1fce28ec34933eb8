import { readFileSync } from 'node:fs';
import { dirname, join, resolve as resolvePath } from 'node:path';
import vm from 'node:vm';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_TYPES } from '#platform/events';
// Defines the event types of all libraries.
import '../../apps/server/src/server.module.js';
import { Webhooks } from '../../packages/webhooks/src/index.js';
import { sharedBrowser } from '../support/chromium.js';
import { listenHttp } from '../support/local-receiver.js';
import { SECRET } from './deliveries.js';

const BUILT = join(import.meta.dirname, '../../packages/webhooks/dist/esm');

/** The code that runs in each runtime. Returns the results for a genuine delivery and for a changed delivery. */
const CHECK = `async (library, { body, headers, secret }) => {
  const outcome = (body) => new library.Webhooks({ secret }).verify(body, headers).then((event) => event, (error) => error.code);
  return { genuine: await outcome(body), changed: await outcome(body + ' '), types: library.EVENT_TYPES.length };
}`;

describe('webhook verification', () => {
  let checkInput: { body: string; headers: Readonly<Record<string, string>>; secret: string };
  let expected: unknown;

  beforeAll(async () => {
    const body = '{"id":"evt_1","type":"user.created","data":{"firstName":"Zoë"}}';
    const headers = await new Webhooks({ secret: SECRET }).sign(body, 'evt_1');
    checkInput = { body, headers, secret: SECRET };
    expected = { genuine: JSON.parse(body), changed: 'signature_mismatch', types: EVENT_TYPES.length };
  });

  it('works in a browser', async () => {
    const files = await listenHttp((request, response) => {
      const isScript = request.url!.endsWith('.js');
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? readFileSync(join(BUILT, request.url!)) : '<!doctype html><title>Receiver</title>');
    });
    const context = await (await sharedBrowser()).newContext();
    try {
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${files.port}/`);
      const result = await page.evaluate(
        `import('/index.js').then((library) => (${CHECK})(library, ${JSON.stringify(checkInput)}))`,
      );
      expect(result).toEqual(expected);
    } finally {
      await context.close();
      await files.close();
    }
  });

  it('works in an edge runtime without Node.js APIs', async () => {
    const { crypto, TextEncoder, TextDecoder, Headers, Request, Response, atob, btoa } = globalThis;
    const context = vm.createContext({ crypto, TextEncoder, TextDecoder, Headers, Request, Response, atob, btoa });
    const modules = new Map<string, vm.SourceTextModule>();
    const load = (path: string): vm.SourceTextModule => {
      const known = modules.get(path);
      if (known) return known;
      const made = new vm.SourceTextModule(readFileSync(path, 'utf8'), { context, identifier: path });
      modules.set(path, made);
      return made;
    };
    const library = load(join(BUILT, 'index.js'));
    await library.link((specifier, from) => load(resolvePath(dirname(from.identifier), specifier)));
    await library.evaluate();
    const check = vm.runInContext(`(${CHECK})`, context) as (library: unknown, input: typeof checkInput) => Promise<unknown>;
    expect(JSON.parse(JSON.stringify(await check(library.namespace, checkInput)))).toEqual(expected);
    expect(vm.runInContext('typeof process + typeof Buffer + typeof require', context)).toBe('undefinedundefinedundefined');
  });
});
