import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { slugOf } from './markdown/heading-slugs.mjs';
import { highlightWithoutStyles } from './markdown/highlighting.mjs';
import { repositoryLinks } from './markdown/repository-links.mjs';
import { nav, sidebar } from './navigation.mjs';
import { externalScripts, withoutInlineStyles } from './external-scripts.mjs';

const projectDir = join(import.meta.dirname, '../../..');
const highlighting = highlightWithoutStyles();
const scripts = externalScripts();

/**
 * Builds the site at `/docs/guide` from the pages of `docs/`. The site has no inline scripts, inline styles or external
 * resources.
 */
export default defineConfig({
  title: 'Identity service',
  description: 'Self-hosted users, nested organizations, roles, sign-in, and webhooks with at-least-once delivery.',
  lang: 'en',
  base: '/docs/guide/',
  srcDir: join(projectDir, 'docs'),
  // scripts/build-if-stale.mjs moves this folder to dist/docs.
  outDir: join(projectDir, 'dist/docs-unfinished'),
  cacheDir: join(projectDir, '.cache/docs'),
  // The README.md of a folder is its index page.
  rewrites: (page) => page.replace(/(^|\/)README\.md$/, '$1index.md'),
  cleanUrls: true,
  // Disabling the transition needs an inline style element, which the content security policy blocks.
  appearance: { disableTransition: false },
  // Links to the service that serves the guide.
  ignoreDeadLinks: 'localhostLinks',
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]],
  markdown: {
    anchor: { slugify: slugOf },
    codeTransformers: [highlighting.transformer],
    config: (md) => md.use(repositoryLinks, projectDir),
  },
  transformHtml: (html) => scripts.extract(withoutInlineStyles(html)),
  buildEnd: ({ outDir }) => {
    scripts.write(outDir);
    highlighting.write(outDir);
  },
  transformHead: () => [['link', { rel: 'stylesheet', href: `/docs/guide/${highlighting.fileName()}` }]],
  // The search index is a large chunk, but is loaded only on the first search.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    siteTitle: 'Identity',
    nav,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    externalLinkIcon: true,
  },
});
