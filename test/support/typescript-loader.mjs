import { transform } from '@swc/core';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/* Hooks with which Node.js imports our TypeScript sources, compiled one file at a time, so that the tests need no build. */
const root = new URL('../../', import.meta.url);
const options = JSON.parse(await readFile(new URL('.swcrc', root), 'utf8'));
const jestGlobals = new URL('jest/globals.mjs', import.meta.url).href;

/** What is installed or built has imports that begin with `#`, too. */
const isOurs = (url) => url?.startsWith(root.href) && !/\/(?:node_modules|dist)\//.test(url);
const isSource = (url) => isOurs(url) && /\.ts(?:\?|$)/.test(url);

export async function resolve(specifier, context, nextResolve) {
  if (!isOurs(context.parentURL)) return nextResolve(specifier, context);
  if (specifier === '@jest/globals') return { url: jestGlobals, shortCircuit: true };
  const lib = /^#([a-z-]+)$/.exec(specifier);
  if (lib) return { url: new URL(`libs/${lib[1]}/src/index.ts`, root).href, shortCircuit: true };
  if (isSource(context.parentURL) && /^\.{1,2}\//.test(specifier)) {
    // The pages, which Vite builds, leave the ending out, and the name of an index.
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
  const { code } = await transform(await readFile(filename, 'utf8'), { ...options, filename, swcrc: false });
  return { format: 'module', source: code, shortCircuit: true };
}
