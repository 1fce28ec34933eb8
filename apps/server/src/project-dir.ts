import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The directory of `package.json`. Sources and build are at different depths below it. */
export const projectDir: string = above(import.meta.dirname);

function above(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('No folder above the server has a package.json.');
  return above(parent);
}
