import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_PAGES } from '../../apps/docs/.vitepress/markdown/project-pages.mjs';

const projectDir = join(import.meta.dirname, '../..');

/** The site pages `project/…`: files outside `docs/`. */
export default {
  watch: PROJECT_PAGES.map(({ file }) => join(projectDir, file)),
  paths: () =>
    PROJECT_PAGES.map(({ page, file }) => ({ params: { page }, content: readFileSync(join(projectDir, file), 'utf8') })),
};
