import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

// Each page by itself: in one build, the sign-in page would load parts that only the dashboard uses of files that both use.
const webDir = join(import.meta.dirname, '../apps/web');
for (const [index, page] of ['index.html', 'sign-in.html'].entries()) {
  await build({
    configFile: join(webDir, 'vite.config.ts'),
    logLevel: 'warn',
    build: { emptyOutDir: index === 0, rolldownOptions: { input: join(webDir, page) } },
  });
}

// Compressed once, as small as possible: `apps/server/src/web` sends these files to browsers that take them.
const assetsDir = join(webDir, '../../dist/apps/web-unfinished/assets');
for (const file of readdirSync(assetsDir)) {
  const path = join(assetsDir, file);
  writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
}
