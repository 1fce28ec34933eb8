import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { Quickstart } from './samples/quickstart.js';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const outputOf = (failure: { stdout: string; stderr: string }): { stdout: string; stderr: string } => failure;

/** A program that loads everything of the two packages. The tests add the imports. The samples of the READMEs use them. */
const PROGRAM = `
const { verify } = new Webhooks({ secret: 's' });
console.log([createIdentityClient, isApiError, verify, expressReceiver, fastifyReceiver, WebhookGuard].map((each) => typeof each).join());
`;
const NAMES = {
  '@identity-service/client': ['createIdentityClient', 'isApiError'],
  '@identity-service/webhooks': ['Webhooks'],
  '@identity-service/webhooks/express': ['webhookReceiver: expressReceiver'],
  '@identity-service/webhooks/fastify': ['webhookReceiver: fastifyReceiver'],
  '@identity-service/webhooks/nest': ['WebhookGuard'],
};
const asImport = Object.entries(NAMES).map(
  ([name, names]) => `import { ${names.join(', ').replace(': ', ' as ')} } from '${name}';`,
);
const asRequire = Object.entries(NAMES).map(([name, names]) => `const { ${names.join(', ')} } = require('${name}');`);

/** Code that the tests only type-check. */
const TYPED = `
import { createIdentityClient, isApiError, type LoggedEvent, type Schema } from '@identity-service/client';
import { type WebhookEvent, type WebhookEventOf, Webhooks } from '@identity-service/webhooks';
import { webhookReceiver } from '@identity-service/webhooks/express';

export const identity = createIdentityClient({ baseUrl: 'http://localhost:3000', apiKey: 'k' });

export async function use(): Promise<string> {
  const user = await identity.createUser({ org: 'acme', body: { email: 'ada@example.com', roles: ['admin'] } });
  const id: string = user.id;
  for await (const each of identity.listUsers({ org: 'acme', status: 'active', limit: 10 })) {
    const listed: Schema<'UserListItemResponse'> = each;
    console.log(listed.email);
  }
  const total: number = (await identity.listMembers({ org: 'acme' }).page()).pagination.total;
  const nothing: undefined = await identity.deleteUser({ org: 'acme', id });
  const { body, response } = await identity.getUser.withResponse({ org: 'acme', id });
  const csv: string = await identity.exportUsers({ org: 'acme', format: 'csv' });
  const tested: boolean = (await identity.testWebhook({ org: 'acme', id: 'wh_1', body: { eventType: 'user.login' } })).success;
  await identity.suspendUser({ org: 'acme', id });
  // @ts-expect-error -- the email address is required
  await identity.createUser({ org: 'acme', body: { firstName: 'Ada' } });
  // @ts-expect-error -- the organization is missing
  await identity.getUser({ id });
  // @ts-expect-error -- a filter that does not exist
  identity.listUsers({ org: 'acme', color: 'red' });
  // @ts-expect-error -- a code that does not exist
  isApiError(nothing, 'slug_taken_by_me');
  return [body.data.email, response.status, csv, total, tested].join();
}

export function describeEvent(event: WebhookEvent | LoggedEvent): string {
  if (event.type === 'role.assigned') return event.data.role?.name ?? '';
  // @ts-expect-error -- the type of the data is unknown
  return event.data.email;
}

export const created = (event: WebhookEventOf<'user.created'>): string | null => event.data.firstName;
export const receiver = webhookReceiver({ secret: ['a', 'b'] }, async (event) => console.log(event.id));
export const verifying = (request: Request): Promise<WebhookEvent> => new Webhooks({ secret: 's' }).verifyRequest(request);
`;

/** Returns the TypeScript samples in the README of a package. */
const samplesOf = (name: string): string[] =>
  [...readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
    (match) => match[1]!,
  );

describe('a packed JavaScript package', () => {
  let app: TestApp;
  let folder: string;
  let quickstart: Quickstart;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'packages-'));
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const packed = (await run(process.execPath, ['scripts/packages.mjs'], { cwd: ROOT })).stdout.trim().split('\n');
    // The packages have no dependencies and require no registry.
    const options = ['--offline', '--no-audit', '--no-fund', '--legacy-peer-deps'];
    [app] = await Promise.all([startApp(), run('npm', ['install', ...options, ...packed], { cwd: folder })]);
    quickstart = await Quickstart.of('test/packages/packed.spec.ts', app);
    // The project of a receiver has frameworks installed.
    for (const name of ['@nestjs', '@types', 'express', 'fastify']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    }
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await app.close();
  });

  it.each([
    ['program.mjs', asImport],
    ['program.cjs', asRequire],
  ])('can be loaded in %s', async (name, imports) => {
    writeFileSync(join(folder, name), [...imports, PROGRAM].join('\n'));
    const { stdout } = await run(process.execPath, [name], { cwd: folder });
    expect(stdout.trim().split(',')).toEqual(Array(6).fill('function'));
  });

  it('returns the documented results of the client README', async () => {
    const [use, lists, headers] = samplesOf('client') as [string, string, string];
    writeFileSync(join(folder, 'guide.mjs'), [use, lists, headers].join('\n').replace('http://localhost:3000', app.url));
    const { stdout } = await run(process.execPath, ['guide.mjs'], {
      cwd: folder,
      env: { ...process.env, API_KEY: app.platformKey },
    });
    expect(stdout.split('\n')).toEqual([
      'ada@example.com',
      expect.stringMatching(/^The slug "acme" is already taken/),
      '0 of 0',
      'Acme',
      expect.stringMatching(/^id,/),
      '',
    ]);
  });

  it('returns the documented results of the quickstart', async () => {
    const project = join(folder, 'quickstart');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    const env = { ...process.env, npm_config_offline: 'true', npm_config_legacy_peer_deps: 'true' };
    await run('bash', ['-ec', quickstart.install], { cwd: project, env });
    symlinkSync(join(ROOT, 'node_modules/express'), join(project, 'node_modules/express'));
    for (const [name, code] of Object.entries(quickstart.programs)) writeFileSync(join(project, `${name}.mjs`), code);
    await quickstart.run(project, (name) => [process.execPath, `${name}.mjs`]);
  });

  it('has types that compile all documented samples', async () => {
    for (const [name, code] of Object.entries(quickstart.programs)) writeFileSync(join(folder, `${name}.mts`), code);
    for (const name of ['client', 'webhooks']) {
      const samples = samplesOf(name);
      // Later samples of the client use variables of the first sample.
      for (const [index, sample] of (name === 'client' ? [samples.join('\n')] : samples).entries()) {
        writeFileSync(join(folder, `${name}-${index}.mts`), `${sample}\nexport {};\n`);
      }
    }
    writeFileSync(join(folder, 'typed.mts'), TYPED);
    writeFileSync(join(folder, 'typed.cts'), TYPED);
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.asynciterable'],
      types: ['node'],
      strict: true,
      experimentalDecorators: true,
      skipLibCheck: true,
      noEmit: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts', '*.cts'] }));
    const checked = await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(outputOf);
    expect(checked.stdout).toBe('');
  });

  it('has the version of the service', () => {
    const version = (path: string): string => (JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { version: string }).version;
    for (const name of ['client', 'webhooks', 'cli'])
      expect(version(`packages/${name}/package.json`)).toBe(version('package.json'));
  });
});
