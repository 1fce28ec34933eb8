import { spawnSync } from 'node:child_process';
import { projectDir } from './build-if-stale.mjs';

// Checks the dependencies of a release for vulnerabilities and licenses.
const checks = [checkAdvisories, checkLicenses];
const results = checks.map((check) => check());
process.exitCode = results.every(Boolean) ? 0 : 1;

/** Fetches advisories from the registry. Fails for a mirror without advisories. */
function checkAdvisories() {
  const { status, stdout } = run('npm', ['audit', '--audit-level=high', '--json']);
  const answer = parsed(stdout);
  if (!answer?.metadata) {
    console.error(
      `Advisories: not checked, because the registry did not respond (${answer?.message ?? answer?.error?.summary ?? 'no reason given'}).`,
    );
    return false;
  }
  const { critical, high, moderate, low } = answer.metadata.vulnerabilities;
  console.log(`Advisories: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low.`);
  if (status !== 0) console.error('Run "npm audit" for details.');
  return status === 0;
}

function checkLicenses() {
  const { status, stdout, stderr } = run(process.execPath, ['scripts/licenses.mjs', '--all']);
  if (status === 0) console.log(`Licenses: ${stdout.trim().split('\n').length} packages, all with allowed licenses.`);
  else console.error(stderr.trim());
  return status === 0;
}

function run(command, parameters) {
  return spawnSync(command, parameters, { cwd: projectDir, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
