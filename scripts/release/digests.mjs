import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'SHA256SUMS';

/** Returns the paths of the files in a folder, sorted. */
export const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();

export const digestOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Writes the digests of all files of a folder, for `sha256sum --check SHA256SUMS`. */
export function writeDigests(folder) {
  const lines = filesIn(folder).map((path) => `${digestOf(join(folder, path))}  ${path}\n`);
  writeFileSync(join(folder, NAME), lines.join(''));
}

/** @throws Error if the files of a folder are not those of its digests and of its provenance */
export function assertDigests(folder) {
  const lines = readFileSync(join(folder, NAME), 'utf8').trim().split('\n');
  const listed = new Map(lines.map((line) => line.split('  ').toReversed()));
  const { subject } = JSON.parse(readFileSync(join(folder, 'provenance.intoto.json'), 'utf8'));
  const proven = new Map(subject.map(({ name, digest }) => [name, digest.sha256]));
  for (const path of filesIn(folder).filter((path) => path !== NAME)) {
    const digest = digestOf(join(folder, path));
    if (listed.get(path) !== digest) throw new Error(`${path} has another digest than in ${NAME}`);
    if (path !== 'provenance.intoto.json' && proven.get(path) !== digest)
      throw new Error(`${path} has another digest than in its provenance`);
  }
}
