import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { SIGN_IN_PAGES } from '../server/src/web/pages.ts';

const projectDir = join(import.meta.dirname, '../..');
const server = process.env['DEV_SERVER_URL'] ?? 'http://localhost:3000';

/** Shows `sign-in.html` at the addresses of the sign-in pages while developing; `index.html` is at all others. */
const signInPages: Plugin = {
  name: 'sign-in-pages',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
      if (SIGN_IN_PAGES.includes(pathname)) request.url = `/sign-in.html${search}`;
      next();
    });
  },
};

/** Compiles the ICU messages, so that no page loads a parser for them. One without parameters stays text. */
const compiledMessages: Plugin = {
  name: 'compiled-messages',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/texts\/.+\.json$/ },
    handler: (json) => {
      const messages = Object.entries(JSON.parse(json) as Record<string, string>).map(([id, message]) => {
        const elements = parse(message);
        const [first, ...more] = elements;
        return [id, first?.type === TYPE.literal && more.length === 0 ? first.value : elements];
      });
      return JSON.stringify(Object.fromEntries(messages));
    },
  },
};

/** Two applications: the dashboard with the own account, and the pages for signing in. `apps/server/src/web` serves what is built. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [signInPages, compiledMessages],
  resolve: { alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js' } },
  html: { cspNonce: 'CSP_NONCE' },
  build: {
    // scripts/build-if-stale.mjs moves it to dist/apps/web.
    outDir: join(projectDir, 'dist/apps/web-unfinished'),
    emptyOutDir: true,
    target: 'es2022',
    // The first with light-dark(); for older ones, it would be replaced by variables that Mantine does not set.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The content security policy allows no inlined files.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // Only browsers older than the `target` need it.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // All that a page loads first in one file, which is smaller than several.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      // Hundreds of lines about "use client", which means nothing here.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
  server: { proxy: Object.fromEntries(['/v1', '/docs', '/openapi.json'].map((path) => [path, server])) },
});
