import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { referencePages } from './reference-pages.js';

const ROOT = join(import.meta.dirname, '../..');

describe('the reference', () => {
  it.each(Object.entries(referencePages()))('%s is what the sources say (UPDATE_DOCS=1 writes it anew)', (path, page) => {
    const place = join(ROOT, path);
    if (process.env['UPDATE_DOCS']) {
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, page);
    }
    expect(readFileSync(place, 'utf8')).toBe(page);
  });
});
