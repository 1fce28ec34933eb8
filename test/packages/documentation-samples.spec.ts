import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { VARIABLES } from '#platform/config';
import { installProgram } from '../support/apt-get.js';
import { startApp } from '../support/app.js';
import { findFreePort } from '../support/free-port.js';
import type { TestBody } from '../support/http-client.js';
import { startIdentityProvider } from '../support/identity-provider.js';
import { listenHttp } from '../support/local-receiver.js';
import { made } from '../support/organizations.js';
import { testServer } from '../support/test-server.js';
import { isRun, ROOT, type Sample, SAMPLES } from './samples/blocks.js';
import { NEWEST, PAGES, type Reader } from './samples/pages.js';
import { Shell } from './samples/shell.js';
import { differences, isAmong, printedValues, shownValues } from './samples/shown.js';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(1_000, 7)]);
const WAIT_MS = 5_000;

const all = [...SAMPLES.values()].flat();
const of = (...languages: string[]): Sample[] => all.filter(({ language }) => languages.includes(language));
const location = ({ page, line }: Sample): string => `${page}:${line}`;

describe('a documentation sample', () => {
  const app = testServer(async () => {
    const port = await findFreePort();
    return startApp({ port, baseUrl: `http://127.0.0.1:${port}` });
  });
  const host = testServer(() =>
    listenHttp((request, response) => {
      if (request.url === '/logo.png') response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
      else response.writeHead(204).end();
    }),
  );
  const provider = testServer(() => startIdentityProvider(app.url, {}));
  let shell: Shell;
  let slug = '';
  let counter = 0;
  let replacements: Record<string, string>;
  let environment: Record<string, string>;

  beforeAll(async () => {
    for (const name of ['curl', 'jq']) await installProgram(name, [name, '--version']);
    const [receiver, verifier] = [String(await findFreePort()), String(await findFreePort())];
    replacements = {
      'http://localhost:3000': app.url,
      '127.0.0.1:4000': `127.0.0.1:${receiver}`,
      'localhost:4001': `127.0.0.1:${verifier}`,
      'https://example.com/': hostUrl(),
      'https://login.example.com': provider.issuer,
      'service_sk_…': app.platformKey,
    };
    environment = {
      API: app.url,
      API_KEY: app.platformKey,
      RECEIVER_PORT: receiver,
      VERIFIER_PORT: verifier,
      IDENTITY_URL: app.url,
      IDENTITY_SERVICE_BASE_URL: app.url,
      IDENTITY_SERVICE_API_KEY: app.platformKey,
    };
  });
  afterEach(() => shell?.end());
  const hostUrl = (): string => `http://127.0.0.1:${host.port}/`;

  /** Creates the organization for a page. The samples of the page call the organization `acme`. */
  async function setUpPage(page: string): Promise<void> {
    slug = page === 'README.md' ? 'acme' : `acme-${++counter}`;
    shell = new Shell({ ...environment, IDENTITY_SERVICE_ORGANIZATION: slug });
    if (page === 'README.md') return;
    await made(app, '/v1/organizations', { name: 'Acme', slug });
    await PAGES[page]?.before?.(reader({}));
  }
  const reader = (last: TestBody): Reader => ({
    app,
    shell,
    last,
    hostUrl: hostUrl(),
    path: `/v1/organizations/${slug}`,
  });

  /** Returns the code of a block with inserted values. */
  async function filledIn({ page, code }: Sample, last: TestBody): Promise<string> {
    let [text, variables] = [code, ''];
    const isSet = (word: string): boolean => SAMPLES.get(page)!.some((sample) => sample.code.includes(`${word.slice(1)}=`));
    const newest = Object.entries(NEWEST).filter(([word]) => !isSet(word));
    for (const [, fill] of [...newest, ...Object.entries(PAGES[page]?.fill ?? {})].filter(([word]) => code.includes(word)))
      for (const [from, to] of Object.entries(await fill(reader(last))))
        if (/^[A-Z_]+$/.test(from)) variables += `${from}='${to}'\n`;
        else text = text.replaceAll(from, to);
    for (const [from, to] of Object.entries(replacements)) text = text.replaceAll(from, to);
    return variables + withSlug(text);
  }

  const withSlug = (text: string): string => text.replaceAll(/\bacme\b(?!-(?:europe|regions|berlin)|\.example)/g, slug);

  const pages = [...SAMPLES].filter(([, samples]) => samples.some(isRun)).map(([page]) => page);
  it.each(pages)('returns the documented result (page %s)', async (page) => {
    await setUpPage(page);
    let last: TestBody = {};
    const samples = SAMPLES.get(page)!;
    for (const [at, sample] of samples.entries()) {
      if (!isRun(sample)) continue;
      const { exitCode, stdout, stderr, statuses } = await shell.run(await filledIn(sample, last));
      const printed = printedValues(stdout) as TestBody[];
      const outcome = { location: location(sample), stdout, stderr };
      expect({ ...outcome, exitCode }).toMatchObject({ exitCode: 0 });
      last = printed.at(-1) ?? last;

      const next = samples.slice(at + 1).find((each) => each.language === 'sh' || each.checkedBy === undefined);
      const shown = next?.language === 'json' ? (shownValues(withSlug(next.code)) as TestBody[]) : [];
      const expectedClasses = statuses.map((_, index) =>
        index === statuses.length - 1 && shown[0]?.code ? shown[0].status : 200,
      );
      expect({ ...outcome, classes: statuses.map(classOf) }).toMatchObject({ classes: expectedClasses.map(classOf) });
      const differ = shown.flatMap((each, index) => differences(each, printed.at(index - shown.length)));
      expect({ ...outcome, differ }).toMatchObject({ differ: [] });
      if (next?.language === 'text') await expectPrinted(next);
    }
  });
  const classOf = (status: number): number => (status < 400 ? 200 : status);

  /** Expects all lines of a sample in the output. Waits for output of background programs. */
  async function expectPrinted(sample: Sample): Promise<void> {
    const missing = (): string[] => {
      const printed = shell.printed().split('\n');
      return sample.code.split('\n').filter((line) => !isAmong(line, printed));
    };
    for (const end = Date.now() + WAIT_MS; missing().length > 0 && Date.now() < end;) await sleep(50);
    expect({ location: location(sample), missing: missing() }).toMatchObject({ missing: [] });
  }

  it('sets or explains each variable', () => {
    const unexplained = [...SAMPLES].flatMap(([page, samples]) => {
      const code = samples
        .filter(({ language }) => language === 'sh')
        .map((sample) => sample.code)
        .join('\n');
      const prose = readFileSync(join(ROOT, page), 'utf8').replaceAll(/^ *```.*?^ *```$/gms, '');
      const isExplained = (name: string): boolean =>
        code.match(new RegExp(`^ *(?:export |for )?${name}(?:=| in )|[ ;]${name}=`, 'm')) !== null ||
        prose.includes(['API', 'API_KEY'].includes(name) ? 'README.md)' : `$${name}`) ||
        name in VARIABLES;
      const used = [...code.matchAll(/\$\{?([A-Z_]+)/g)].map((match) => match[1]!);
      return [...new Set(used)].filter((name) => !isExplained(name)).map((name) => `${page}: $${name}`);
    });
    expect(unexplained).toEqual([]);
  });

  it('has output that the test of the command compares', () => {
    // `test:citus` checks the numbers, and `Quickstart` compares the output of all languages.
    const comparedOtherwise = new Set(['docs/citus.md', 'docs/quickstart.md']);
    const uncompared = all.filter(({ page, language }, index) => {
      const { checkedBy } = all[index - 1] ?? {};
      if (language !== 'text' || checkedBy === undefined || comparedOtherwise.has(page)) return false;
      return !readFileSync(join(ROOT, checkedBy), 'utf8').includes(`missingInOutput('${page}'`);
    });
    expect(uncompared.map(location)).toEqual([]);
  });

  it('contains valid JSON', () => {
    expect(of('json').length).toBeGreaterThan(100);
    for (const sample of of('json'))
      for (const value of shownValues(sample.code) as TestBody[]) {
        if (typeof value.type !== 'string' || !value.type.includes('/docs/errors/')) continue;
        const code = value.type.slice(value.type.lastIndexOf('/') + 1);
        expect({ location: location(sample), ...value }).toMatchObject({
          code,
          status: expect.any(Number),
          title: expect.any(String),
        });
        expect(existsSync(join(ROOT, `docs/errors/${code}.md`))).toBe(true);
      }
  });

  it('has valid syntax', () => {
    const checks: Record<string, string[]> = {
      js: [process.execPath, '--input-type=module', '--check'],
      python: ['python3', '-c', 'import ast, sys; ast.parse(sys.stdin.read())'],
      sh: ['bash', '-n'],
    };
    for (const sample of of('js', 'python', 'sh')) {
      const [command, ...parameters] = checks[sample.language]!;
      const { status, stderr } = spawnSync(command!, parameters, { input: sample.code, encoding: 'utf8' });
      expect([location(sample), status, stderr]).toEqual([location(sample), 0, '']);
    }
  });

  it('sets only environment variables that the service reads', () => {
    const names = of('ini').flatMap(({ code }) => [...code.matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]!));
    expect(names).toContain('DATABASE_URL');
    expect(names.filter((name) => !(name in VARIABLES) && name !== 'NODE_ENV')).toEqual([]);
  });

  it('is in a checked language or names an existing test', () => {
    const known = new Set(['sh', 'json', 'js', 'python', 'ini', 'text', 'http', 'csv']);
    const unchecked = all.filter(({ language, checkedBy }) => !known.has(language) && checkedBy === undefined);
    expect(unchecked.map(location)).toEqual([]);
    const missing = all.filter(({ checkedBy }) => checkedBy !== undefined && !existsSync(join(ROOT, checkedBy)));
    expect(missing.map(location)).toEqual([]);
  });
});
