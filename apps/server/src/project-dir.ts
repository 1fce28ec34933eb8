import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The directory of `package.json`. Searches upward, because the sources and the build have different depths. */
export const projectDir: string = findProjectDir(import.meta.dirname);

function findProjectDir(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('No folder above the server has a package.json.');
  return findProjectDir(parent);
}
