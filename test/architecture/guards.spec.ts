import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { GUARDS } from '../guards/guards.js';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

/** Returns the rows of the first table of the page by class of mistake. */
const classes = (): Map<string, string> => {
  const [table = ''] = read('docs/security/incidents.md').split('\n## ', 1);
  const rows = table.split('\n').filter((line) => /^\| [^-]/.test(line));
  return new Map(rows.slice(1).map((row) => [row.split(' | ', 1)[0]!.slice(2), row]));
};

describe('test/guards/guards.json', () => {
  it('covers exactly the mistakes in docs/security/incidents.md', () => {
    expect([...new Set(GUARDS.map((guard) => guard.class))].toSorted()).toEqual([...classes().keys()].toSorted());
  });

  it('lists the tests that docs/security/incidents.md names', () => {
    const unnamed = GUARDS.filter(({ class: name, test: [, file, title] }) => {
      const row = classes().get(name)!;
      return !row.includes(`[${title}`) || !row.includes(`](../../${file})`);
    });
    expect(unnamed).toEqual([]);
  });

  it('quotes only code that occurs once in the source file', () => {
    expect(GUARDS.filter(({ file, guard }) => read(file).split(guard).length !== 2)).toEqual([]);
  });
});
