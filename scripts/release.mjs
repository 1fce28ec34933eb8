import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { apiChanges } from './release/api-changes.mjs';
import { ARTIFACT_NAMES, makeArtifacts } from './release/artifacts.mjs';
import { released, unreleased } from './release/changelog.mjs';
import { breakingCommits, entriesFromCommits, lastTag, nextVersion } from './release/commits.mjs';
import { copyCommit, takeOver } from './release/project-copy.mjs';
import { run } from './release/run.mjs';
import { setVersion } from './release/versions.mjs';

// Makes a release of the project in the current folder: version, changelog, commit, tag and artifacts, in a copy of the last commit. The project
// gets the commit and the tag if all artifacts were made and passed their checks. Pushes nothing.
try {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, only: { type: 'string' } } });
  await release({ isDryRun: values['dry-run'] === true, names: namesOf(values.only) });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function namesOf(list) {
  const names = list?.split(',') ?? ARTIFACT_NAMES;
  const unknown = names.filter((name) => !ARTIFACT_NAMES.includes(name));
  if (unknown.length > 0) throw new Error(`There is no artifact "${unknown[0]}". Artifacts: ${ARTIFACT_NAMES.join(', ')}.`);
  return ARTIFACT_NAMES.filter((name) => names.includes(name));
}

async function release({ isDryRun, names }) {
  const changed = run('git', ['status', '--porcelain']);
  if (changed !== '' && !isDryRun)
    throw new Error(`Commit these changes first, or the release would not include them:\n${changed}`);
  if (changed !== '') console.log(`Not committed, so not included:\n${changed}`);

  const project = process.cwd();
  const copy = copyCommit(project);
  process.chdir(copy);
  try {
    const { version, entries } = tagNext();
    const commit = run('git', ['rev-parse', isDryRun ? 'HEAD~' : 'HEAD']).trim();
    const target = join(project, 'dist/release', `v${version}`);
    const isComplete = await makeArtifacts({ project, copy, target, version, entries, commit, names });
    process.exitCode = isComplete ? 0 : 1;
    if (isDryRun) return console.log('Dry run: nothing was changed in Git.');
    if (!isComplete) throw new Error('The release is incomplete, so it was neither committed nor tagged.');
    takeOver(project, copy, `v${version}`);
    console.log(`Committed and tagged v${version}. Publish it with "git push --follow-tags".`);
  } finally {
    process.chdir(project);
    rmSync(copy, { recursive: true });
  }
}

/** Commits and tags the next version in the current folder. Returns the version and its changelog entries. */
function tagNext() {
  const lastRelease = lastTag();
  const impact = lastRelease === undefined ? undefined : impactSince(lastRelease);
  const version =
    lastRelease === undefined ? JSON.parse(readFileSync('package.json', 'utf8')).version : nextVersion(lastRelease, impact);
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const entries = unreleased(changelog) || entriesFromCommits(lastRelease);
  if (entries === '')
    throw new Error(
      `There is nothing to release: no changes that users notice${lastRelease === undefined ? '' : ` since ${lastRelease}`}.`,
    );

  console.log(`${lastRelease ?? 'no release'} → v${version}\n\n${entries}\n`);
  writeFileSync('CHANGELOG.md', released(changelog, { version, entries, date: new Date().toISOString().slice(0, 10) }));
  setVersion(version);
  run('git', ['commit', '-qam', `chore(release): v${version}`]);
  run('git', ['tag', '-a', `v${version}`, '-m', `v${version}`]);
  return { version, entries };
}

/**
 * Returns how the API changed: `major`, `minor`, `patch` or undefined.
 * @throws Error if the API has a breaking change that no commit declares
 */
function impactSince(tag) {
  if (!existsSync('openapi.json'))
    throw new Error('There is no openapi.json in this folder. Run the script in the project folder.');
  const { bump, breaking } = apiChanges(tag);
  console.log(`The API since ${tag}: ${bump === undefined ? 'unchanged' : `a ${bump} change`}.`);
  if (bump === 'major' && breakingCommits(tag).length === 0)
    throw new Error(
      `These changes to openapi.json break clients of ${tag}, and no commit since then is marked as breaking:\n${breaking.join('\n')}\nKeep the API compatible, or describe the migration in a commit ("feat(api)!: …", "BREAKING CHANGE: …").`,
    );
  return bump;
}
