import { join } from 'node:path';
import { projectDir } from '../build-if-stale.mjs';
import { run } from './run.mjs';

const GIT_CLIFF = join(projectDir, 'node_modules/git-cliff/lib/cli/cli.js');
const cliff = (...parameters) =>
  run(process.execPath, [GIT_CLIFF, '--config', join(projectDir, 'cliff.toml'), '--offline', '--no-exec', ...parameters]).trim();

const LEVELS = ['patch', 'minor', 'major'];

/** The tag of the last release; undefined before the first. */
export function lastTag() {
  const tags = run('git', ['tag', '--merged', 'HEAD', '--sort=-version:refname']).split('\n');
  return tags.find((tag) => /^v\d+\.\d+\.\d+$/.test(tag));
}

/** The version that the commits since a release make, and at least what the change of the API demands. */
export function nextVersion(tag, impact) {
  const byCommits = cliff('--bumped-version').slice(1);
  // A breaking change is in the commits, too, which know what it means before 1.0.0.
  if (impact !== 'minor' || levelOf(tag.slice(1), byCommits) >= LEVELS.indexOf('minor')) return byCommits;
  return cliff('--bump', 'minor', '--bumped-version').slice(1);
}

function levelOf(from, to) {
  const [before, after] = [from, to].map((version) => version.split('.').map(Number));
  return 2 - before.findIndex((part, index) => part !== after[index]);
}

/** The commits since a release that are marked as breaking. */
export function breakingCommits(tag) {
  return JSON.parse(cliff('--context', `${tag}..HEAD`))
    .flatMap(({ commits }) => commits)
    .filter(({ breaking }) => breaking);
}

/** Entries for the changelog, from the commits since a release: where nobody wrote any. */
export const entriesFromCommits = (tag) => cliff(...(tag === undefined ? [] : [`${tag}..HEAD`]), '--strip', 'all');
