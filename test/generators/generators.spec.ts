import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { pythonTools } from '../../scripts/python-tools.mjs';
import { testApp } from '../support/test-app.js';

const PROJECT_DIR = join(import.meta.dirname, '../..');
const DOCUMENT = join(PROJECT_DIR, 'openapi.json');
const CACHE = join(PROJECT_DIR, '.cache/generators');
const TOOLS = join(CACHE, 'tools');
const OPENAPI_GENERATOR = join(PROJECT_DIR, 'scripts/openapi-generator.mjs');
const TSC = join(PROJECT_DIR, 'node_modules/typescript-7/bin/tsc');
const ROLLDOWN = join(PROJECT_DIR, 'node_modules/.bin/rolldown');
/** The time limit. On a new machine, downloads and compilers take minutes. */
const LIMIT_MS = 900_000;

const execute = promisify(execFile);

/**
 * Runs a command in a folder.
 * @throws Error with all output when the command fails
 */
async function run(folder: string, command: string, parameters: string[], environment: Record<string, string> = {}) {
  const options = { cwd: folder, env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 };
  return execute(command, parameters, options).catch((error: Error & { stdout?: string }) => {
    throw new Error(`${command} ${parameters.join(' ')}: ${error.message}\n${error.stdout ?? ''}`);
  });
}

const inTools = (name: string): string => join(TOOLS, 'node_modules/.bin', name);

/** Creates a folder that contains only the program of a language. Returns the path. */
function freshFolder(name: string): string {
  const folder = join(CACHE, name);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(import.meta.dirname, name), folder, { recursive: true });
  return folder;
}

const openapiGenerator = (folder: string, generator: string, output: string, ...options: string[]) =>
  run(folder, process.execPath, [OPENAPI_GENERATOR, 'generate', '-i', DOCUMENT, '-g', generator, '-o', output, ...options]);

/** Functions that generate and compile a client. Each returns a function that runs the program with the client. */
const GENERATORS: Record<string, () => Promise<(environment: Record<string, string>) => Promise<string>>> = {
  async go() {
    const folder = freshFolder('go');
    const client = join(folder, 'client');
    await openapiGenerator(folder, 'go', client, '--additional-properties=packageName=iam');
    rmSync(join(client, 'test'), { recursive: true });
    await run(client, 'go', ['mod', 'edit', '-module=example.com/iam']);
    mkdirSync(join(client, 'program'));
    cpSync(join(folder, 'main.go'), join(client, 'program/main.go'));
    await run(client, 'go', ['mod', 'tidy']);
    await run(client, 'go', ['build', '-o', 'program.bin', './program']);
    return async (environment) => (await run(client, './program.bin', [], environment)).stdout;
  },

  async java() {
    const folder = freshFolder('java');
    const client = join(folder, 'client');
    await openapiGenerator(folder, 'java', client, '--library', 'native');
    cpSync(join(folder, 'Main.java'), join(client, 'src/main/java/Main.java'));
    const classpath = ['dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'];
    await run(client, 'mvn', ['-q', 'compile', ...classpath, '-Dmaven.test.skip=true']);
    const dependencies = readFileSync(join(client, 'classpath.txt'), 'utf8');
    return async (environment) =>
      (await run(client, 'java', ['-cp', `target/classes:${dependencies.trim()}`, 'Main'], environment)).stdout;
  },

  async python() {
    const folder = freshFolder('python');
    const programs = await pythonTools();
    const generate = ['generate', '--path', DOCUMENT, '--config', 'config.yaml', '--meta', 'none'];
    const PATH = `${programs}:${process.env['PATH']}`;
    const output = ['--output-path', 'identity_service_client'];
    const { stderr } = await run(folder, join(programs, 'openapi-python-client'), [...generate, ...output], { PATH });
    // The generator supports one content type per operation and warns about a second content type.
    expect(stderr.match(/(?:WARNING|ERROR).*/g)).toEqual([
      expect.stringMatching(/^WARNING parsing POST \/v1\/organizations\/\{org\}\/users\/import/),
    ]);
    await run(folder, join(programs, 'mypy'), ['--strict', '--follow-imports=silent', 'main.py']);
    return async (environment) => (await run(folder, join(programs, 'python'), ['main.py'], environment)).stdout;
  },

  async 'hey-api'() {
    const folder = freshFolder('hey-api');
    await run(folder, inTools('openapi-ts'), ['-i', DOCUMENT, '-o', 'client', '-c', '@hey-api/client-fetch']);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom', 'dom.iterable'],
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: ['node'],
      typeRoots: [join(PROJECT_DIR, 'node_modules/@types')],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
    await run(folder, process.execPath, [TSC, '-p', '.']);
    // A module that the program does not use can also fail to load.
    const modules = readdirSync(join(folder, 'client'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const imports = modules.map((name) => `import './client/${name}';\n`).join('');
    writeFileSync(join(folder, 'main.ts'), imports + readFileSync(join(folder, 'main.ts'), 'utf8'));
    await run(folder, ROLLDOWN, ['main.ts', '--platform', 'node', '-o', 'main.mjs']);
    return async (environment) => (await run(folder, process.execPath, ['main.mjs'], environment)).stdout;
  },
};

jest.setTimeout(LIMIT_MS);

describe('the OpenAPI document', () => {
  const app = testApp();
  beforeAll(async () => {
    cpSync(join(import.meta.dirname, 'tools'), TOOLS, { recursive: true });
    await run(TOOLS, 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  }, LIMIT_MS);

  it.each(Object.keys(GENERATORS))('produces a working client with %s', async (name) => {
    const call = await GENERATORS[name]!();
    const slug = `from-${name}`;
    const printed = await call({ BASE_URL: app.url, API_KEY: app.platformKey, SLUG: slug });
    expect(JSON.parse(printed)).toEqual({
      email: `ada@${slug}.example`,
      added: 1,
      notFound: '404 organization_not_found',
      conflict: '409 slug_taken',
      events: ['organization.created', 'user.created'],
    });
  });

  it('follows the Spectral rules', async () => {
    const options = ['--ruleset', 'spectral.yaml', '--fail-severity', 'hint'];
    const { stdout } = await run(TOOLS, inTools('spectral'), ['lint', DOCUMENT, ...options]);
    expect(stdout).toContain('No results with a severity');
  });
});
