import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);
const CACHE = new URL('.cache/typescript/', ROOT);
/** The compiler options. A change of the options invalidates all compiled files. */
const SWCRC = readFileSync(new URL('.swcrc', ROOT), 'utf8');

export const compilerOptions = { ...JSON.parse(SWCRC), swcrc: false, sourceMaps: true };

export function compiledPaths(filename, source) {
  const hash = createHash('sha256').update(SWCRC).update(filename).update('\0').update(source).digest('hex').slice(0, 32);
  return { code: fileURLToPath(new URL(`${hash}.js`, CACHE)), map: fileURLToPath(new URL(`${hash}.js.map`, CACHE)) };
}

/** The paths of source maps by module URL. Jest requires source maps for line numbers in stack traces. */
export class CompiledSourceMaps extends Map {
  get(url) {
    if (!url.startsWith(ROOT.href) || !/\.ts(?:\?|$)/.test(url)) return undefined;
    const filename = fileURLToPath(url.split('?')[0]);
    return compiledPaths(filename, readFileSync(filename, 'utf8')).map;
  }
}
