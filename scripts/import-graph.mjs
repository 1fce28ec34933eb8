import { join } from 'node:path';
import { instance } from '@viz-js/viz';
import { cruise, format } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const ROOT = join(import.meta.dirname, '..');

/** The pictures: the areas, and the libraries of all areas. `platform` is excluded from the libraries, because all libraries import it. */
const PICTURES = {
  'docs/reference/areas.svg': { collapse: '^libs/[^/]+', includeOnly: '^libs/' },
  'docs/reference/libraries.svg': { collapse: '^libs/[^/]+/[^/]+', includeOnly: '^libs/(?!platform)' },
};

/** Returns the imports of the sources in the folders, and violations of the rules in `.dependency-cruiser.mjs`. */
export async function importGraph(...folders) {
  const options = await extractDepcruiseOptions(join(ROOT, '.dependency-cruiser.mjs'));
  const { output } = await cruise(folders, { ...options, baseDir: ROOT });
  return output;
}

/** Returns the pictures of an import graph by path in the repository. They depend only on the imports of `libs`. */
export async function picturesOf(graph) {
  const viz = await instance();
  const modules = graph.modules.filter(({ source }) => source.startsWith('libs/')).map(sorted);
  const pictures = {};
  for (const [path, options] of Object.entries(PICTURES)) {
    const { output } = await format({ ...graph, modules: modules.toSorted(by('source')) }, { outputType: 'dot', ...options });
    pictures[path] = viz.renderString(String(output), { format: 'svg' });
  }
  return pictures;
}

const by = (name) => (one, other) => (one[name] < other[name] ? -1 : 1);

const sorted = (module) => ({
  ...module,
  dependencies: module.dependencies.toSorted(by('resolved')),
  dependents: module.dependents.filter((path) => path.startsWith('libs/')).toSorted(),
});
