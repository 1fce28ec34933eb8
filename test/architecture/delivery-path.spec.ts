import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const ROW = /^\| \d+ \| \[`\w+\.(?<method>\w+)`\]\((?<file>[^)]+)\) \| (?<lines>\d+) \|/gm;

/** Returns the number of lines of a method, with its signature and its closing brace. */
function methodLines(file: string, method: string): number {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  const first = lines.findIndex((line) => new RegExp(`^  (?:private )?(?:async )?${method}(?:<.*>)?\\(`).test(line));
  return first < 0 ? 0 : lines.slice(first).indexOf('  }') + 1;
}

describe('the function table in ARCHITECTURE.md', () => {
  const rows = [...readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').matchAll(ROW)].map(({ groups = {} }) => groups);

  it('has at most 12 functions', () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(12);
  });

  it('has the number of lines of each function', () => {
    const expected = rows.map(({ file = '', method = '' }) => `${method} ${methodLines(file, method)}`);
    expect(rows.map(({ method, lines }) => `${method} ${lines}`)).toEqual(expected);
  });
});
