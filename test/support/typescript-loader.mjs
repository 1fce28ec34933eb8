import { transform } from '@swc/core';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/*
 * Jest runs its global setup outside its own transform. These hooks let that process import our TypeScript sources as the
 * tests do, with the same compiler options, so that the tests need no build.
 */
const root = new URL('../../', import.meta.url);
const options = JSON.parse(await readFile(new URL('.swcrc', root), 'utf8'));

export async function resolve(specifier, context, nextResolve) {
  // Packages have imports of that form, too.
  const lib = !context.parentURL?.includes('/node_modules/') && /^#([a-z-]+)$/.exec(specifier);
  if (lib) return nextResolve(new URL(`libs/${lib[1]}/src/index.ts`, root).href, context);
  if (/^\.{1,2}\//.test(specifier) && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(source)) return nextResolve(source.href, context);
  }
  return nextResolve(specifier, context);
}

export async function load(url, context, nextLoad) {
  if (!url.startsWith(root.href) || !url.endsWith('.ts')) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { ...options, filename, swcrc: false });
  return { format: 'module', source: code, shortCircuit: true };
}
