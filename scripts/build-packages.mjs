import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { build } from 'vite';
import { projectDir } from './build-if-stale.mjs';

/** The libraries that other programs import, as ES modules and as CommonJS. */
const LIBRARIES = ['client', 'webhooks'];

const packageDir = (name) => join(projectDir, 'packages', name);

const filesIn = (folder, suffix) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(suffix));

/** Deletes outputs whose source was removed. The compiler keeps such outputs. */
function removeOrphans(name) {
  const [src, esm] = ['src', 'dist/esm'].map((folder) => join(packageDir(name), folder));
  for (const path of filesIn(esm, 's'))
    if (!existsSync(join(src, path.replace(/(\.d\.ts|\.js)$/, '.ts')))) rmSync(join(esm, path));
  rmSync(join(packageDir(name), 'dist/cjs'), { recursive: true, force: true });
}

/** Transpiles the ES modules to CommonJS for callers that use `require`. Copies the declarations. */
function makeCommonJs(name) {
  const [src, esm, cjs] = ['src', 'dist/esm', 'dist/cjs'].map((folder) => join(packageDir(name), folder));
  const write = (path, text) => {
    mkdirSync(dirname(join(cjs, path)), { recursive: true });
    writeFileSync(join(cjs, path), text);
  };
  for (const path of filesIn(esm, '.d.ts')) write(path, readFileSync(join(esm, path), 'utf8'));
  for (const path of filesIn(src, '.ts')) {
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
    const { outputText } = ts.transpileModule(readFileSync(join(src, path), 'utf8'), { compilerOptions, fileName: path });
    write(path.replace(/\.ts$/, '.js'), outputText);
  }
  write('package.json', '{ "type": "commonjs" }\n');
}

const { status } = spawnSync(process.execPath, ['node_modules/typescript-7/bin/tsc', '-b', 'packages'], {
  cwd: projectDir,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);
/** Bundles the command-line tool into one file without dependencies. */
async function bundleCommandLine() {
  const root = packageDir('cli');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: 'src/main.ts',
      target: 'node20',
      emptyOutDir: false,
      license: { fileName: 'licenses.md' },
      rolldownOptions: { output: { entryFileNames: 'identity-service.js', banner: '#!/usr/bin/env node' } },
    },
    ssr: { noExternal: true },
    resolve: {
      alias: Object.fromEntries(LIBRARIES.map((name) => [`@identity-service/${name}`, join(packageDir(name), 'src/index.ts')])),
    },
  });
  chmodSync(join(root, 'dist/identity-service.js'), 0o755);
}

for (const name of LIBRARIES) {
  removeOrphans(name);
  makeCommonJs(name);
}
await bundleCommandLine();
for (const name of [...LIBRARIES, 'cli']) copyFileSync(join(projectDir, 'LICENSE'), join(packageDir(name), 'LICENSE'));
