import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { slugOf } from './markdown/heading-slugs.mjs';
import { highlightWithoutStyles } from './markdown/highlighting.mjs';
import { repositoryLinks } from './markdown/repository-links.mjs';
import { nav, sidebar } from './navigation.mjs';
import { withoutInlineStyles, outerScripts } from './nothing-inline.mjs';

const projectDir = join(import.meta.dirname, '../../..');
const highlighting = highlightWithoutStyles();
const scripts = outerScripts();

/** The pages of `docs/` as a site, which the server has at `/docs/guide`. Nothing in it comes from another host, and no script or style is inline. */
export default defineConfig({
  title: 'Identity service',
  description: 'Self-hosted users, nested organizations, roles, sign-in, and webhooks with at-least-once delivery.',
  lang: 'en',
  base: '/docs/guide/',
  srcDir: join(projectDir, 'docs'),
  // scripts/build-if-stale.mjs moves it to dist/docs.
  outDir: join(projectDir, 'dist/docs-unfinished'),
  cacheDir: join(projectDir, '.cache/docs'),
  // A folder's README.md is what a reader of the repository sees first, and so does one of the site.
  rewrites: (page) => page.replace(/(^|\/)README\.md$/, '$1index.md'),
  cleanUrls: true,
  // It would be held back by a style element.
  appearance: { disableTransition: false },
  // Addresses of the service that the reader has started.
  ignoreDeadLinks: 'localhostLinks',
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]],
  markdown: {
    anchor: { slugify: slugOf },
    codeTransformers: [highlighting.transformer],
    config: (md) => md.use(repositoryLinks, projectDir),
  },
  transformHtml: (html) => scripts.moveOut(withoutInlineStyles(html)),
  buildEnd: ({ outDir }) => {
    scripts.write(outDir);
    highlighting.write(outDir);
  },
  transformHead: () => [['link', { rel: 'stylesheet', href: `/docs/guide/${highlighting.fileName()}` }]],
  // The search index is one chunk, loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    nav,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    externalLinkIcon: true,
  },
});
