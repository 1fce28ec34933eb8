import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { VARIABLES } from '#platform/config';
import { slugOf } from '../../apps/docs/.vitepress/markdown/heading-slugs.mjs';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  ...['client', 'webhooks', 'cli', 'python', 'go'].map((name) => join('packages', name, 'README.md')),
];

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** Returns the anchors of the headings of a page. Uses the algorithm of apps/docs/.vitepress/markdown/heading-slugs.mjs. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      slugOf(heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')),
    ),
  );

describe('the documentation', () => {
  it('links only to existing files', () => {
    const broken = PAGES.flatMap((page) =>
      [...withoutCode(read(page)).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map((match) => match[1]!)
        .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(ROOT, dirname(page), target)))
        .map((target) => `${page} links to ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('links only to existing headings', () => {
    const headings = new Map(PAGES.map((page) => [page, anchorsOf(read(page))]));
    const broken = PAGES.flatMap((page) =>
      [...withoutCode(read(page)).matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)]
        .filter(([, target]) => !/^[a-z]+:/.test(target!))
        .filter(([, target, anchor]) => headings.get(target ? join(dirname(page), target) : page)?.has(anchor!) === false)
        .map(([, target, anchor]) => `${page} links to ${target}#${anchor}`),
    );
    expect(broken).toEqual([]);
  });

  it('names only existing tests', () => {
    const missing = PAGES.flatMap((page) =>
      [...read(page).matchAll(/\[([^\]`]+)\]\(([^)]+\.spec\.ts)\)/g)].flatMap(([, title, target]) => {
        const source = read(join(dirname(page), target!));
        const titles = title!
          .split(' › ')
          .filter((each) => !["'", '"', '`'].some((quote) => source.includes(quote + each + quote)));
        return titles.map((each) => `${page}: ${target} has no "${each}"`);
      }),
    );
    expect(missing).toEqual([]);
  });

  it('names only existing npm scripts', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const known = new Set(Object.keys(scripts));
    const unknown = PAGES.flatMap((page) =>
      [...read(page).matchAll(/\bnpm run ([a-z][a-z:-]*)/g)]
        .map((match) => match[1]!)
        .filter((name) => !known.has(name))
        .map((name) => `${page} names npm run ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('has guides of at most 150 lines', () => {
    const guides = PAGES.filter((page) => page.startsWith('docs/guides/'));
    const long = guides.filter((page) => read(page).trimEnd().split('\n').length > 150);
    expect([guides.length > 20, long]).toEqual([true, []]);
  });

  it.each([
    ['verify-webhooks.md', 'js', 'examples/receiver.mjs'],
    ['verify-webhooks.md', 'python', 'examples/receiver.py'],
    ['verifying-sessions.md', 'js', 'examples/verify-access-token.mjs'],
    ['sign-in-with-oauth.md', 'js', 'examples/sign-in-app.mjs'],
  ])('shows in %s the %s code of %s', (guide, language, example) => {
    const [, code] = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(read(`docs/guides/${guide}`))!;
    const lines = read(example).split('\n');
    let from = 0;
    const missing = code!.split('\n').filter((line) => {
      const found = lines.indexOf(line, from);
      if (found >= 0) from = found + 1;
      return found < 0;
    });
    expect(missing).toEqual([]);
  });

  it('lists every environment variable with the default', () => {
    const table = new Map(
      [...read('docs/operations.md').matchAll(/^\| `([A-Z_]+)` \| ([^|]*) \|/gm)].map((match) => [match[1]!, match[2]!.trim()]),
    );
    const wanted = Object.entries(VARIABLES).map(([name, variable]) => [name, variable.default ? `\`${variable.default}\`` : '']);
    expect(Object.fromEntries(table)).toEqual(Object.fromEntries(wanted));
  });
});
