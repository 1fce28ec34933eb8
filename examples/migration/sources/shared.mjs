import { readFileSync } from 'node:fs';

export const read = (path) => readFileSync(path, 'utf8');
export const readJson = (path) => parse(read(path), path);
export const readLines = (path) =>
  read(path)
    .split('\n')
    .flatMap((line, index) => (line === '' ? [] : [parse(line, `${path}, line ${index + 1}`)]));

/** Parses JSON. @throws Error with the place if the text is not JSON. */
function parse(text, place) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${place}: ${error.message}`, { cause: error });
  }
}

/** Reads an array in JSON, or one object per line. */
export const readRows = (path) => (/^\s*\[/.test(read(path)) ? readJson(path) : readLines(path));

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns bytes in base32, without padding. */
export function base32(bytes) {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits
    .match(/.{1,5}/g)
    .map((five) => BASE32[parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

export const unpadded = (base64) => base64.replace(/={0,2}$/, '');
/** Returns objects by a field. */
export function groupBy(rows, field) {
  const groups = new Map();
  for (const row of rows) groups.set(row[field], [...(groups.get(row[field]) ?? []), row]);
  return groups;
}
