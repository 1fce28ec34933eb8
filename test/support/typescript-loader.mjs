import { transform } from '@swc/core';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledPaths, compilerOptions } from './compiled-source.mjs';

/*
 * Module hooks of Node.js that compile each imported TypeScript source, so that the tests need no build. @swc/jest works only in the VM contexts that
 * `NativeEnvironment` avoids, and for Jest only: mutation tests, benchmarks and scripts use these hooks, too.
 */
const root = new URL('../../', import.meta.url);
/** The condition that resolves `imports` of package.json to the sources. */
const SOURCES = 'identity-source';
const jestGlobals = new URL('jest/globals.mjs', import.meta.url).href;

/** Returns whether a module is a source of this project. Installed and built packages can also contain imports that begin with `#`. */
const isOurs = (url) => url?.startsWith(root.href) && !/\/(?:node_modules|dist)\//.test(url);
const isSource = (url) => isOurs(url) && /\.ts(?:\?|$)/.test(url);

/** Returns the query `?mutant=…` of a module. Modules with different queries are loaded separately: see `MutationRuntime`. */
const mutantOf = (url) => /\?mutant=\d+$/.exec(url)?.[0] ?? '';

export async function resolve(specifier, context, nextResolve) {
  if (!isOurs(context.parentURL)) return nextResolve(specifier, context);
  if (specifier === '@jest/globals') return { url: jestGlobals, shortCircuit: true };
  const resolved = await resolveImport(specifier, context, nextResolve);
  return isSource(resolved.url) ? { ...resolved, url: `${resolved.url}${mutantOf(context.parentURL)}` } : resolved;
}

async function resolveImport(specifier, context, nextResolve) {
  if (specifier.startsWith('#')) return nextResolve(specifier, { ...context, conditions: [...context.conditions, SOURCES] });
  if (isSource(context.parentURL) && /^\.{1,2}\//.test(specifier)) {
    // Vite builds the sources of the web pages. Their imports omit file extensions and the names of index files.
    for (const ending of ['.ts', '/index.ts']) {
      const source = new URL(specifier.replace(/(?:\.js)?$/, ending), context.parentURL);
      if (existsSync(source)) return { url: source.href, shortCircuit: true };
    }
  }
  return nextResolve(specifier, context);
}

export async function load(url, context, nextLoad) {
  if (!isSource(url)) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  return { format: 'module', source: await compiled(filename), shortCircuit: true };
}

/** Compiles a file unless the cache contains the compiled file. Returns the compiled file. */
async function compiled(filename) {
  const source = await readFile(filename, 'utf8');
  const paths = compiledPaths(filename, source);
  const kept = await readFile(paths.code, 'utf8').catch(() => undefined);
  if (kept !== undefined) return kept;
  const { code, map } = await transform(source, { ...compilerOptions, filename });
  await mkdir(dirname(paths.code), { recursive: true });
  await writeAtomically(paths.map, map);
  await writeAtomically(paths.code, code);
  return code;
}

/** Writes a file atomically. Other processes can read the file at any time. */
async function writeAtomically(path, text) {
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, text);
  await rename(unfinished, path);
}
