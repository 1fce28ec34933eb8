import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

// One build for each page. In a common build, the sign-in page would load code that only the dashboard uses.
const webDir = join(import.meta.dirname, '../apps/web');
for (const [index, page] of ['index.html', 'sign-in.html'].entries()) {
  await build({
    configFile: join(webDir, 'vite.config.ts'),
    logLevel: 'warn',
    build: { emptyOutDir: index === 0, rolldownOptions: { input: join(webDir, page) } },
  });
}

// Compresses the files at build time with the best ratio. `apps/server/src/web` serves these files to browsers that accept them.
const assetsDir = join(webDir, '../../dist/apps/web-unfinished/assets');
for (const file of readdirSync(assetsDir)) {
  const path = join(assetsDir, file);
  writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
}
