import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { helm } from '../deploy-tools.mjs';
import { makeImage } from '../image/podman.mjs';
import { checkChart, checkGo, checkImage, checkNotes, checkPython, checkSbom } from './checks.mjs';
import { checkNpm } from './check-npm.mjs';
import { assertDigests, filesIn, writeDigests } from './digests.mjs';
import { linkPackages } from './project-copy.mjs';
import { writeProvenance } from './provenance.mjs';
import { run } from './run.mjs';
import { makeSbom } from './sbom.mjs';

/**
 * The artifacts: the programs that they need, how they are made in the folder `out`, and the check of the files, which gets an empty folder and
 * returns what it has shown.
 */
const ARTIFACTS = {
  notes: { programs: [], make: makeNotes, check: checkNotes },
  npm: { programs: ['npm'], isBuilt: true, make: makeNpm, check: checkNpm },
  python: { programs: ['python3'], isBuilt: true, make: makePython, check: checkPython },
  go: { programs: ['go', 'java', 'mvn', 'tar'], isBuilt: true, make: makeGo, check: checkGo },
  chart: { programs: ['go'], make: makeChart, check: checkChart },
  image: { programs: ['podman'], make: makeImageArchive, check: checkImage },
  sbom: { programs: ['npm'], make: makeSbom, check: checkSbom },
};

export const ARTIFACT_NAMES = Object.keys(ARTIFACTS);

/** Makes artifacts in the folder `target`, checks them, and prints a table. Returns whether all were made and passed their checks. */
export async function makeArtifacts(release) {
  const { target, names } = release;
  const startedAt = new Date();
  rmSync(target, { recursive: true, force: true });
  const made = names.map((name) => ({ name, problem: problemOf(() => make(name, release)) }));
  writeProvenance(release, startedAt);
  writeDigests(target);

  const rows = [];
  for (const { name, problem } of made) rows.push(...(await rowsOf(name, problem, release)));
  const changed = problemOf(() => assertDigests(target));
  for (const path of ['provenance.intoto.json', 'SHA256SUMS'])
    rows.push({
      path,
      size: sizeOf(target, path),
      result: changed?.message ?? 'ok: the digests of all files',
      isFailed: !!changed,
    });
  printTable(target, rows);
  return rows.every(({ isFailed }) => !isFailed);
}

function make(name, release) {
  const { programs, isBuilt, make: makeFiles } = ARTIFACTS[name];
  const missing = programs.filter((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error);
  const are = missing.length > 1 ? 'are' : 'is';
  if (missing.length > 0) throw new Error(`${missing.map((program) => `"${program}"`).join(', ')} ${are} not installed`);
  console.log(`... making ${name}`);
  if (isBuilt) linkPackages(release.project, release.copy);
  const out = join(release.target, name);
  mkdirSync(out, { recursive: true });
  makeFiles({ ...release, out });
}

/** Checks the files of an artifact. Returns the rows of the table. */
async function rowsOf(name, problem, release) {
  const out = join(release.target, name);
  const failed = (result, error) => {
    const [summary, ...more] = error.message.split('\n');
    if (more.length > 0) console.error(`${name}: ${error.message}\n`);
    return [{ path: name, size: '', result: `${result}: ${summary}`, isFailed: true }];
  };
  if (problem) return failed('not made', problem);
  console.log(`... checking ${name}`);
  const empty = mkdtempSync(join(tmpdir(), 'release-check-'));
  try {
    const shown = await ARTIFACTS[name].check({ ...release, out, empty, files: filesIn(out).map((path) => join(out, path)) });
    return filesIn(out).map((path) => ({ path: join(name, path), size: sizeOf(out, path), result: `ok: ${shown}` }));
  } catch (error) {
    return failed('failed', error);
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

function problemOf(action) {
  try {
    action();
  } catch (error) {
    return error;
  }
}

function sizeOf(folder, path) {
  const bytes = statSync(join(folder, path)).size;
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function printTable(target, rows) {
  const width = Math.max(...rows.map(({ path }) => path.length));
  const line = ({ path, size, result }) => `${path.padEnd(width)}  ${size.padStart(8)}  ${result}`;
  console.log(`\n${target}\n${rows.map(line).join('\n')}\n`);
}

/** Runs a script of the copied project. The programs that it builds report the commit of the release. */
function build(script, { copy, commit }) {
  run(process.execPath, [join('scripts', script)], { cwd: copy, env: { ...process.env, COMMIT: commit.slice(0, 12) } });
  return join(copy, 'dist/packages');
}

function copyFiles(folder, out, isIncluded) {
  for (const name of readdirSync(folder).filter(isIncluded)) cpSync(join(folder, name), join(out, name));
}

function makeNotes({ out, version, entries }) {
  writeFileSync(join(out, `v${version}.md`), `${entries}\n`);
}

function makeNpm({ out, ...release }) {
  build('packages.mjs', release);
  copyFiles(build('packages-server.mjs', release), out, (name) => name.endsWith('.tgz'));
}

function makePython({ out, ...release }) {
  copyFiles(build('packages-python.mjs', release), out, (name) => name.startsWith('identity_service-'));
}

function makeGo({ out, ...release }) {
  const built = build('packages-go.mjs', release);
  cpSync(join(built, 'go'), join(out, 'proxy'), { recursive: true });
  copyFiles(built, out, (name) => name.startsWith('identity-service-go-'));
}

function makeChart({ out, copy }) {
  run(helm(), ['package', join(copy, 'deploy/helm/identity-service'), '--destination', out]);
}

function makeImageArchive({ out, copy, version, commit }) {
  makeImage({ folder: copy, version, commit, archive: join(out, `identity-service-${version}.oci.tar`) });
}
