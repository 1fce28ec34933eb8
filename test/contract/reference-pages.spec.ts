import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { referencePages } from './reference-pages.js';

const ROOT = join(import.meta.dirname, '../..');

describe('the reference', () => {
  it.each(Object.entries(referencePages()))('contains the generated page %s (UPDATE_DOCS=1 updates the page)', (path, page) => {
    const file = join(ROOT, path);
    if (process.env['UPDATE_DOCS']) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, page);
    }
    expect(readFileSync(file, 'utf8')).toBe(page);
  });
});
