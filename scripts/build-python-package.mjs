import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiDocument } from './api-document.mjs';
import { projectDir } from './build-if-stale.mjs';
import { pythonTools } from './python-tools.mjs';

// Builds a wheel and a source distribution to dist/packages: the files of packages/python, and the operations and models that
// openapi-python-client generates from openapi.json.
const sources = join(projectDir, 'packages/python');
const staging = join(projectDir, 'dist/python-package');
const target = join(projectDir, 'dist/packages');
const packageDir = join(staging, 'src/identity_service');
const generated = join(packageDir, '_generated');

const programs = await pythonTools().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
// The generator formats its output with ruff.
const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
const run = (program, ...parameters) =>
  execFileSync(join(programs, program), parameters, { cwd: staging, env, stdio: ['ignore', 'pipe', 2], encoding: 'utf8' });

function copySources() {
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  for (const name of ['pyproject.toml', 'README.md', 'src'])
    cpSync(join(sources, name), join(staging, name), { recursive: true, filter: (path) => !path.endsWith('__pycache__') });
  cpSync(join(projectDir, 'LICENSE'), join(staging, 'LICENSE'));
}

function generate() {
  const configuration = ['--config', join(sources, 'generator/config.yaml'), '--meta', 'none', '--fail-on-warning'];
  const templates = ['--custom-template-path', join(sources, 'generator/templates')];
  const document = join(staging, 'openapi.json');
  writeFileSync(document, JSON.stringify(apiDocument()));
  const paths = ['--path', document, '--output-path', generated];
  run('openapi-python-client', 'generate', ...paths, ...configuration, ...templates);
  rmSync(document);
  // The methods of client.py replace the generated functions.
  for (const name of ['api', 'errors.py']) rmSync(join(generated, name), { recursive: true });
  cpSync(join(projectDir, 'packages/webhooks/examples/python/verify_webhook.py'), join(generated, 'verify_webhook.py'));
}

function setVersion() {
  const { version } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'));
  writeFileSync(join(packageDir, '_version.py'), `VERSION = "${version}"\n`);
}

function build() {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(target).filter((name) => name.startsWith('identity_service-'))) rmSync(join(target, name));
  run('python', '-m', 'build', '--no-isolation', '--outdir', target, staging);
}

copySources();
generate();
setVersion();
build();
