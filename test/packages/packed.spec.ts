import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testApp } from '../support/test-app.js';
import { Quickstart } from './samples/quickstart.js';
import { missingInOutput } from './samples/shown-output.js';

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

/** Returns the TypeScript samples in the README of a package. */
const samplesOf = (name: string): string[] =>
  [...readFileSync(join(ROOT, 'packages', name, 'README.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
    (match) => match[1]!,
  );

describe('a packed JavaScript package', () => {
  const app = testApp();
  let folder: string;
  let quickstart: Quickstart;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'packages-'));
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const packed = (await run(process.execPath, ['scripts/packages.mjs'], { cwd: ROOT })).stdout.trim().split('\n');
    const shown = packed.join('\n').replaceAll(ROOT, '/home/you/identity-service');
    expect(missingInOutput('docs/guides/packages.md', 'npm run packages\n', shown)).toEqual([]);
    // The packages have no dependencies and require no registry.
    const options = ['--offline', '--no-audit', '--no-fund', '--legacy-peer-deps'];
    await run('npm', ['install', ...options, ...packed], { cwd: folder });
    quickstart = await Quickstart.of('test/packages/packed.spec.ts', app);
    // The project of a receiver has frameworks installed.
    for (const name of ['@nestjs', '@types', 'express', 'fastify']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

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
    for (const name of ['typed.mts', 'typed.cts']) copyFileSync(join(import.meta.dirname, 'typed.ts.txt'), join(folder, name));
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
