import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

// One build for each page. In a common build, the sign-in page would load code that only the dashboard uses.
const webDir = join(import.meta.dirname, '../apps/web');
await buildPage('index.html', {
  emptyOutDir: true,
  // Few files, because each request takes a round trip: `react` and `first` of all pages, `first-pages` with all that these need, `shared`
  // with what several other areas need, and one file for each `pages.ts`.
  groups: [
    { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 4 },
    { name: 'first', tags: ['$initial'], priority: 3 },
    { name: 'first-pages', test: /\/dashboard\/first-pages\.ts/, priority: 2 },
    { name: 'shared', minShareCount: 2, priority: 1 },
  ],
});
await buildPage('sign-in.html', { emptyOutDir: false, groups: [] });

/** `groups` are added to the groups of vite.config.ts. */
function buildPage(page, { emptyOutDir, groups }) {
  const rolldownOptions = { input: join(webDir, page), output: { codeSplitting: { groups } } };
  return build({ configFile: join(webDir, 'vite.config.ts'), logLevel: 'warn', build: { emptyOutDir, rolldownOptions } });
}

// Compresses the files at build time with the best ratio. `apps/server/src/web` serves these files to browsers that accept them.
const assetsDir = join(webDir, '../../dist/apps/web-unfinished/assets');
for (const file of readdirSync(assetsDir)) {
  const path = join(assetsDir, file);
  writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
}
