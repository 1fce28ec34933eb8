import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { projectDir } from './build-if-stale.mjs';

// Runs the tests that the changed files can break: the nearest tests that import them, and the tests that call the operations of the nearest
// controllers. `npm run test:changed -- main` compares with a branch, otherwise with the last commit. `npm test` remains the proof.
const [base = 'HEAD', ...jestOptions] = process.argv.slice(2);
/** So many files of a kind run. Everything imports the libraries of the platform. */
const MAX_UNIT_FILES = 20;
const MAX_SERVER_FILES = 2;
/** The folders of `npm test` whose tests start servers. Contract tests import everything. */
const SERVER_TEST = /^test\/(?:integration|e2e|delivery|walks)\//;
const UNIT_TEST = /^(?:libs|apps|test\/architecture)\//;

const git = (...words) => execFileSync('git', words, { cwd: projectDir, encoding: 'utf8' }).split('\n').filter(Boolean);
const paths = git('ls-files', '--cached', '--others', '--exclude-standard').filter(
  (path) => /^(?:apps\/(?:server|web)|libs|test)\/.*\.(?:tsx?|mjs)$/.test(path) && existsSync(join(projectDir, path)),
);
const texts = new Map(paths.map((path) => [path, readFileSync(join(projectDir, path), 'utf8')]));
const importers = importersOfAll();
const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];

const found = changed.flatMap((path) => testsOf(path));
const unit = [...new Set(found.filter((path) => UNIT_TEST.test(path)))];
const others = [...new Set(found.filter((path) => !unit.includes(path)))];
if (found.length === 0) console.log('No test imports the changed files or calls their operations. Run npm test.');
for (const files of [unit, others].filter((files) => files.length > 0)) {
  console.log(files.join('\n'));
  const jest = ['run', '--silent', 'jest', '--', '--forceExit', ...jestOptions, '--runTestsByPath', ...files];
  const { status } = spawnSync('npm', jest, { cwd: projectDir, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

function testsOf(path) {
  const near = nearestFirst(path);
  const tests = near.filter((each) => each.endsWith('.spec.ts') || each.endsWith('.spec.tsx'));
  const library = path.split('/').slice(0, 3).join('/');
  const controllers = near.filter((each) => each.endsWith('.controller.ts'));
  const own = controllers.filter((each) => each.startsWith(`${library}/`));
  return [
    ...tests.filter((each) => UNIT_TEST.test(each)).slice(0, MAX_UNIT_FILES),
    ...tests.filter((each) => SERVER_TEST.test(each)).slice(0, MAX_SERVER_FILES),
    ...callersOf(own.length > 0 ? own : controllers.slice(0, 1)).slice(0, MAX_SERVER_FILES),
    ...walksOf(path),
  ];
}

/** Returns a file and the files that import it, directly or indirectly. Modules import everything, so the search stops there. */
function nearestFirst(path) {
  const near = new Set([path]);
  for (const each of near) {
    if (each.endsWith('.module.ts')) continue;
    for (const importer of importers.get(each) ?? []) near.add(importer);
  }
  return [...near].filter((each) => texts.has(each));
}

/** Returns the e2e tests that call the controllers' operations: first the tests with the name of a controller, then by the share of the calls. */
function callersOf(controllers) {
  const operations = controllers.flatMap((path) => operationsOf(texts.get(path)));
  const names = controllers.map((path) => basename(path).replace(/s?\.controller\.ts$/, ''));
  const isOperation = (call) => operations.some((operation) => operation.test(call));
  const shares = paths
    .filter((path) => path.startsWith('test/e2e/') && path.endsWith('.spec.ts'))
    .map((path) => {
      const calls = [...texts.get(path).matchAll(/[`'](\/v1\/[^`'?]+|\/scim\/[^`'?]+)/g)].map(([, call]) =>
        call.replaceAll(/\$\{[^}]*\}/g, ':'),
      );
      const share = calls.filter(isOperation).length / Math.max(calls.length, 1);
      return { path, share: names.some((name) => path.startsWith(`test/e2e/${name}`)) ? 1 + share : share };
    });
  return shares
    .filter(({ share }) => share > 0)
    .toSorted((one, other) => other.share - one.share)
    .map(({ path }) => path);
}

/** Returns a pattern for the path of each operation of a controller. */
function operationsOf(text) {
  const prefix = /@Controller\(['`]([^'`]*)/.exec(text)?.[1];
  if (prefix === undefined) return [];
  const routes = [...text.matchAll(/@(?:Get|Post|Put|Patch|Delete)\((?:['`]([^'`]*))?/g)].map(([, route = '']) => route);
  return [...new Set(routes)].map(
    (route) => new RegExp(`^${join('/', prefix, route).replaceAll(/:\w+/g, '[^/]+').replace(/\/$/, '')}$`),
  );
}

/** The tests of a page have the name of its folder. */
function walksOf(path) {
  const area = /^apps\/web\/src\/(?:dashboard|account)\/([\w-]+)/.exec(path)?.[1];
  return ['walks', 'web'].map((project) => `test/${project}/${area}.spec.ts`).filter((each) => texts.has(each));
}

function importersOfAll() {
  const all = new Map();
  for (const [path, text] of texts) {
    for (const [, names, specifier] of text.matchAll(
      /(?:\b(?:import|export)\b([^'"`;]*)\bfrom |import\(|import )'([#.][^']+)'/g,
    )) {
      const target = resolved(path, specifier);
      for (const each of target ? definingFiles(target, names) : []) all.set(each, (all.get(each) ?? new Set()).add(path));
    }
  }
  return all;
}

function resolved(importer, specifier) {
  const path = specifier.startsWith('#')
    ? `libs/${specifier.slice(1)}/src/index`
    : join(dirname(importer), specifier).replace(/\.js$/, '');
  return ['', '.ts', '.tsx', '/index.ts'].map((ending) => path + ending).find((each) => texts.has(each));
}

/** Returns the files behind an index file that define the imported names. */
function definingFiles(target, names) {
  if (!target.endsWith('/index.ts') || !names?.includes('{')) return [target];
  const wanted = new Set(
    names
      .slice(names.indexOf('{') + 1, names.lastIndexOf('}'))
      .split(',')
      .map((name) => name.replace(/\btype\b| as .*/g, '').trim()),
  );
  const files = [...texts.get(target).matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)]
    .filter(([, exported]) => exported.split(',').some((name) => wanted.has(name.replace(/^.* as |\btype\b/g, '').trim())))
    .map(([, , specifier]) => resolved(target, specifier));
  return files.length > 0 ? files.filter(Boolean) : [target];
}
