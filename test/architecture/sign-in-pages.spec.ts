import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SIGN_IN_PAGES } from '../../apps/server/src/web/pages.js';
import { loadedFrom, PAGE_SOURCES } from './page-sources.js';

const { packages } = loadedFrom('account/sign-in/main.tsx');
const STYLES_DIR = createRequire(import.meta.url)
  .resolve('@mantine/core/styles.css')
  .replace(/\.css$/, '');

/** The components whose styles a component requires in addition to its own styles. */
const STYLES_OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  ActionIcon: ['UnstyledButton', 'Loader'],
  Anchor: ['Text'],
  Button: ['UnstyledButton', 'Loader'],
  PasswordInput: ['Input', 'ActionIcon'],
  TextInput: ['Input'],
};

describe('the sign-in bundle', () => {
  it('contains only the listed libraries', () => {
    const scripts = [...packages.keys()].filter((name) => !name.endsWith('.css'));
    expect(scripts.toSorted()).toEqual([
      '@mantine/core',
      '@mantine/hooks',
      '@primer/octicons-react',
      '@simplewebauthn/browser',
      'get-nonce',
      'intl-messageformat',
      'openapi-fetch',
      'react',
      'react-dom/client',
    ]);
  });

  it('loads component styles in the order of the component library', () => {
    const used = [...(packages.get('@mantine/core') ?? [])];
    const needed = new Set([...used, ...used.flatMap((name) => STYLES_OF_OTHERS[name] ?? [])]);
    const withStyles = [...needed].filter((name) => existsSync(join(STYLES_DIR, `${name}.css`)));
    const loaded = [...packages.keys()].flatMap((name) => /^@mantine\/core\/styles\/([A-Z]\w+)\.css$/.exec(name)?.[1] ?? []);
    expect(loaded.toSorted()).toEqual(withStyles.toSorted());

    const all = readFileSync(`${STYLES_DIR}.css`, 'utf8');
    const position = (name: string): number => all.indexOf(readFileSync(join(STYLES_DIR, `${name}.css`), 'utf8').trim());
    expect(loaded).toEqual(loaded.toSorted((one, other) => position(one) - position(other)));
  });

  it('contains exactly the pages that the service serves without the dashboard', () => {
    const source = readFileSync(join(PAGE_SOURCES, 'account/sign-in/sign-in-pages.tsx'), 'utf8');
    expect([...source.matchAll(/'(\/[\w/-]+)': \w+Page/g)].map(([, path]) => path)).toEqual(SIGN_IN_PAGES);
  });
});
