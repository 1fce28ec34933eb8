import { join } from 'node:path';
import { projectDir } from '../build-if-stale.mjs';
import { run } from './run.mjs';

const GIT_CLIFF = join(projectDir, 'node_modules/git-cliff/lib/cli/cli.js');
const cliff = (...parameters) =>
  run(process.execPath, [GIT_CLIFF, '--config', join(projectDir, 'cliff.toml'), '--offline', '--no-exec', ...parameters]).trim();

const LEVELS = ['patch', 'minor', 'major'];

/** Returns the tag of the last release, or undefined before the first release. */
export function lastTag() {
  const tags = run('git', ['tag', '--merged', 'HEAD', '--sort=-version:refname']).split('\n');
  return tags.find((tag) => /^v\d+\.\d+\.\d+$/.test(tag));
}

/** Returns the next version from the commits since a release and the changes of the API. */
export function nextVersion(tag, impact) {
  const byCommits = cliff('--bumped-version').slice(1);
  // The commits also mark breaking changes, for which git-cliff has a separate rule before 1.0.0.
  if (impact !== 'minor' || levelOf(tag.slice(1), byCommits) >= LEVELS.indexOf('minor')) return byCommits;
  return cliff('--bump', 'minor', '--bumped-version').slice(1);
}

function levelOf(from, to) {
  const [before, after] = [from, to].map((version) => version.split('.').map(Number));
  return 2 - before.findIndex((part, index) => part !== after[index]);
}

export function breakingCommits(tag) {
  return JSON.parse(cliff('--context', `${tag}..HEAD`))
    .flatMap(({ commits }) => commits)
    .filter(({ breaking }) => breaking);
}

/** Returns changelog entries from the commits since a release, for a release without written entries. */
export const entriesFromCommits = (tag) => cliff(...(tag === undefined ? [] : [`${tag}..HEAD`]), '--strip', 'all');
