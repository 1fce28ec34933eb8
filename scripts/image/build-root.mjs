import { cpSync, existsSync, mkdirSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { projectDir } from '../build-if-stale.mjs';
import { isInContext, rootOf, run, runInRoot } from './roots.mjs';

const IGNORED = /\.(?:spec|gen)\.ts$/;

/**
 * Does by hand what `docker build` would: the COPY and RUN steps of each stage, in a root of its own. Gives the last one's root and what the
 * image says about how it is started.
 */
export function buildRoot(stages, log) {
  const folder = mkdtempSync(join(tmpdir(), 'image-check-'));
  const roots = new Map();
  let last;
  for (const { image, name, steps } of stages) {
    log(`FROM ${image}`);
    const root = join(folder, name ?? 'image');
    run('cp', ['-a', rootOf(image), root]);
    last = { root, workdir: '/', variables: {}, user: '0:0' };
    for (const step of steps) {
      if (['COPY', 'RUN'].includes(step.name)) log(`  ${step.name} ${step.rest}`);
      apply(step, last, roots);
    }
    if (name) roots.set(name, root);
  }
  return { ...last, folder };
}

function apply(step, image, roots) {
  if (step.name === 'WORKDIR') {
    image.workdir = step.rest;
    mkdirSync(join(image.root, step.rest), { recursive: true });
  } else if (step.name === 'COPY') copy(step, image, roots);
  else if (step.name === 'RUN') runInRoot(image.root, step.command, { ...image, caches: step.caches });
  else if (step.name === 'ENV') Object.assign(image.variables, step.variables);
  else if (step.name === 'USER') image.user = step.rest;
  else if (step.name === 'ENTRYPOINT') image.entrypoint = step.command;
  else if (step.name === 'HEALTHCHECK') image.healthcheck = step.command;
  else if (step.name === 'STOPSIGNAL') image.stopSignal = step.rest;
}

/** Folders give their content, files go into a folder whose name ends in a slash: as Docker does it. */
function copy({ from, sources, target }, { root, workdir }, roots) {
  for (const source of sources) {
    if (!from && !isInContext(source)) throw new Error(`COPY: .dockerignore excludes ${source}.`);
    const path = from ? join(roots.get(from), source) : join(projectDir, source);
    if (!existsSync(path)) throw new Error(`COPY: ${source} does not exist.`);
    const place = resolve(workdir, target);
    const into = statSync(path).isFile() && target.endsWith('/') ? join(place, basename(source)) : place;
    const filter = (each) => from !== undefined || !IGNORED.test(each);
    cpSync(path, join(root, into), { recursive: true, verbatimSymlinks: true, filter });
    run('chown', ['-R', '0:0', join(root, into)]);
  }
}
