import { buildAll, buildDocsIfStale, buildIfStale, buildPackagesIfStale, buildWebIfStale } from './build-if-stale.mjs';

const IF_STALE = { server: buildIfStale, web: buildWebIfStale, docs: buildDocsIfStale, packages: buildPackagesIfStale };

// Without arguments, builds everything that is served. With names of targets, builds the stale targets among them.
const names = process.argv.slice(2);
if (names.length === 0) buildAll();
for (const name of names) {
  if (!IF_STALE[name]) throw new Error(`There is no build target "${name}". Targets: ${Object.keys(IF_STALE).join(', ')}.`);
  IF_STALE[name]();
}
