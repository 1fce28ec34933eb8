import { posix, relative } from 'node:path';
import { PROJECT_PAGES } from './project-pages.mjs';

const RELATIVE = /^(?![a-z]+:|\/|#)/;

/**
 * Rewrites links of the repository for the site. Links to pages lead to the pages of the site. Links to source files become file
 * names, because the site has no source files. An architecture test checks that each link has a target.
 */
export function repositoryLinks(md, projectDir) {
  md.core.ruler.push('repository_links', ({ tokens, env }) => {
    const folder = folderOf(env, projectDir);
    for (const { children } of tokens) if (children) rewriteLinks(children, folder, md);
  });
}

/** Returns the folder of the page in the repository. */
function folderOf(env, projectDir) {
  const projectPage = PROJECT_PAGES.find(({ page }) => env.relativePath === `project/${page}.md`);
  return posix.dirname(projectPage?.file ?? relative(projectDir, env.path));
}

function rewriteLinks(tokens, folder, md) {
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'image') rewrite(token, 'src', (target) => siteFile(posix.join(folder, target)));
    if (token.type !== 'link_open') continue;
    const [path, hash] = (token.attrGet('href') ?? '').split('#', 2);
    if (path === '' || !RELATIVE.test(path)) continue;
    const file = posix.join(folder, decodeURI(path));
    const page = sitePage(file);
    if (page) token.attrSet('href', hash === undefined ? page : `${page}#${hash}`);
    else nameInstead(tokens, at, file, md);
  }
}

function rewrite(token, attribute, change) {
  const value = token.attrGet(attribute);
  if (value && RELATIVE.test(value)) token.attrSet(attribute, change(value));
}

const siteFile = (file) => file.replace(/^docs(?=\/)/, '');

/** Returns the path of the page for a file, or undefined. */
function sitePage(file) {
  const projectPage = PROJECT_PAGES.find((each) => each.file === file);
  if (projectPage) return `/project/${projectPage.page}.md`;
  if (!file.startsWith('docs/')) return undefined;
  if (file.endsWith('/')) return siteFile(file);
  return file.endsWith('.md') ? siteFile(file.replace(/(^|\/)README\.md$/, '$1index.md')) : undefined;
}

function nameInstead(tokens, openAt, file, md) {
  const closeAt = tokens.findIndex(({ type }, at) => at > openAt && type === 'link_close');
  const text = tokens
    .slice(openAt, closeAt)
    .map(({ content }) => content)
    .join('');
  const name = text.includes(posix.basename(file)) ? '' : ` <code class="repository-file">${md.utils.escapeHtml(file)}</code>`;
  asHtml(tokens[openAt], `<span title="${md.utils.escapeHtml(file)}">`);
  asHtml(tokens[closeAt], `</span>${name}`);
}

function asHtml(token, content) {
  Object.assign(token, { type: 'html_inline', tag: '', attrs: null, nesting: 0, content });
}
