import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import anyAscii from 'any-ascii';
import { join } from 'node:path';
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite';
import { SIGN_IN_PAGES } from '../server/src/web/pages.ts';

const projectDir = join(import.meta.dirname, '../..');
const server = process.env['DEV_SERVER_URL'] ?? 'http://localhost:3000';

/** The beginnings of the paths that the server answers, not the pages. */
const SERVER_PATHS = [
  '/v1',
  '/oauth',
  '/.well-known',
  '/scim',
  '/docs/guide',
  '/docs/errors',
  '/openapi',
  '/health',
  '/dev/mailbox',
];

/** During development, serves `sign-in.html` for the sign-in pages and `index.html` for all other pages. */
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

/** Compiles ICU messages with parameters at build time, so that no page loads the parser. */
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

/** The chunk of scripts/build-web.mjs with the pages that most visits begin with. */
const FIRST_PAGES_CHUNK = 'first-pages';

/**
 * Lets the browser show the frame in the HTML before it has the styles, and load the files early that `main.tsx` imports later.
 * `apps/server/src/web` keeps only the texts of the language that the browser asks for.
 */
const earlyFiles: Plugin = {
  name: 'early-files',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const styles = /\n *<link rel="stylesheet"[^>]*>/.exec(html)?.[0] ?? '';
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const preload = (fileName: string, language?: string): HtmlTagDescriptor => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${fileName}`, ...(language && { 'data-language': language }) },
        injectTo: 'head',
      });
      return {
        // Before the root, so that the styles of MantineProvider override them.
        html: html.replace(styles, '').replace(/\n *<div id="root">/, `${styles}$&`),
        tags: chunks.flatMap(({ fileName, name, facadeModuleId }) => {
          const language = /\/texts\/all\/(\w+)\.ts$/.exec(facadeModuleId ?? '')?.[1];
          return name === FIRST_PAGES_CHUNK || language ? [preload(fileName, language)] : [];
        }),
      };
    },
  },
};

const LATIN_LETTERS = Array.from({ length: 0x1_e000 - 0x80 }, (_, index) => String.fromCodePoint(index + 0x80)).filter(
  (letter) =>
    /[\p{Script=Latin}\p{Pd}\p{Pi}\p{Pf}\u02b9-\u02bf]/u.test(letter) && letter === letter.normalize('NFKD').toLowerCase(),
);

/** Builds two applications: the dashboard with the account pages, and the sign-in pages. `apps/server/src/web` serves them. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  define: {
    ASCII_FORMS: JSON.stringify(Object.fromEntries(LATIN_LETTERS.map((letter) => [letter, anyAscii(letter).toLowerCase()]))),
  },
  plugins: [signInPages, compiledMessages, earlyFiles],
  resolve: { alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js' } },
  html: { cspNonce: 'CSP_NONCE' },
  build: {
    // scripts/build-if-stale.mjs moves this folder to dist/apps/web.
    outDir: join(projectDir, 'dist/apps/web-unfinished'),
    emptyOutDir: true,
    target: 'es2022',
    // The first browsers with light-dark(). For older browsers, Vite would replace light-dark() by variables that Mantine does
    // not set.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The content security policy forbids data URLs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // The styles of all areas are small, and each file takes a request.
    cssCodeSplit: false,
    // Only browsers older than the `target` need the polyfill.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // One file with all code that a page loads first compresses better than several files.
      output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      // Ignores hundreds of warnings about "use client", which has no effect here.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
  server: { proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, server])) },
});
