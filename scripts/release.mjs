import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { apiChanges } from './release/api-changes.mjs';
import { released, unreleased } from './release/changelog.mjs';
import { breakingCommits, entriesFromCommits, lastTag, nextVersion } from './release/commits.mjs';
import { run } from './release/run.mjs';
import { setVersion } from './release/versions.mjs';

// Makes a release of the project in the current folder: version, changelog, commit and tag. Pushes nothing.
try {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } });
  release(values['dry-run'] === true);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function release(isDryRun) {
  const changed = run('git', ['status', '--porcelain']);
  if (changed !== '' && !isDryRun)
    throw new Error(`Commit these changes first, or the release would not include them:\n${changed}`);

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
  if (isDryRun) {
    console.log('Dry run: nothing was changed.');
    return;
  }
  writeFileSync('CHANGELOG.md', released(changelog, { version, entries, date: new Date().toISOString().slice(0, 10) }));
  setVersion(version);
  run('git', ['commit', '-qam', `chore(release): v${version}`]);
  run('git', ['tag', '-a', `v${version}`, '-m', `v${version}`]);
  console.log(`Committed and tagged v${version}. Publish it with "git push --follow-tags".`);
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
