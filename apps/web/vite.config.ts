import { join } from 'node:path';
import { defineConfig } from 'vite';

const projectDir = join(import.meta.dirname, '../..');
const server = process.env['DEV_SERVER_URL'] ?? 'http://localhost:3000';

/** Pages served at `/dashboard`, `/account` and the addresses of mailed links; `apps/server/src/web` serves what is built. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  html: { cspNonce: 'CSP_NONCE' },
  build: {
    outDir: join(projectDir, 'dist/apps/web'),
    emptyOutDir: true,
    target: 'es2022',
    // The first with light-dark(); for older ones, it would be replaced by variables that Mantine does not set.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The content security policy allows no inlined files.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      // Hundreds of lines about "use client", which means nothing here.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
  server: { proxy: Object.fromEntries(['/v1', '/docs', '/openapi.json'].map((path) => [path, server])) },
});
