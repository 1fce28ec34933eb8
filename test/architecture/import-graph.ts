import { join } from 'node:path';
import { instance } from '@viz-js/viz';
import { cruise, format, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const ROOT = join(import.meta.dirname, '../..');

/** The pictures: the areas, and the libraries of all areas. `platform` is excluded from the libraries, because all libraries import it. */
const PICTURES = {
  'docs/reference/areas.svg': { collapse: '^libs/[^/]+', includeOnly: '^libs/' },
  'docs/reference/libraries.svg': { collapse: '^libs/[^/]+/[^/]+', includeOnly: '^libs/(?!platform)' },
};

/** Returns the imports of the sources in the folders, and violations of the rules in `.dependency-cruiser.mjs`. */
export async function importGraph(...folders: string[]): Promise<ICruiseResult> {
  const options = await extractDepcruiseOptions(join(ROOT, '.dependency-cruiser.mjs'));
  const tsConfig = extractTSConfig(join(ROOT, 'tsconfig.json'));
  const { output } = await cruise(folders, { ...options, baseDir: ROOT }, undefined, { tsConfig });
  return output as ICruiseResult;
}

/** Returns the pictures of an import graph by path in the repository. */
export async function picturesOf(graph: ICruiseResult): Promise<Readonly<Record<string, string>>> {
  const viz = await instance();
  const pictures: Record<string, string> = {};
  for (const [path, options] of Object.entries(PICTURES)) {
    const { output } = await format(graph, { outputType: 'dot', ...options });
    pictures[path] = viz.renderString(String(output), { format: 'svg' });
  }
  return pictures;
}
