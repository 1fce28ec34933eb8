import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { referencePages } from './reference-pages.js';
import { errorPage } from '../../apps/server/src/docs/error-pages.js';
import { generatedDocument } from '../support/operations.js';
import { ResponseSchemas } from '../support/response-schemas.js';
import { problemCodes } from '../support/problem-codes.js';

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

const PAGES = join(import.meta.dirname, '../../docs/errors');
const codes = problemCodes();
const schemas = new ResponseSchemas(await generatedDocument());
const problemSchema = { $ref: '#/components/schemas/ProblemResponse' };

describe('the error reference', () => {
  it('has a page for exactly the error codes in the source code', () => {
    expect(codes).toContain('validation_failed');
    expect(codes).toContain('organization_not_found');
    expect(codes).toContain('internal_error');
    const pages = readdirSync(PAGES).map((file) => file.replace(/\.md$/, ''));
    expect(pages.sort()).toEqual(codes);
  });

  it.each(codes)('explains %s with causes, solutions and a valid example', async (code) => {
    const page = readFileSync(join(PAGES, `${code}.md`), 'utf8');
    const [, status, example] =
      /^# \S[^\n]+\n\nStatus \*\*(\d{3}) [^\n]+\*\*, code `\w+`\.\n\n\S[\s\S]+\n## When it happens\n\n- [\s\S]+\n## What to do\n\n- [\s\S]+\n## Example\n\n```json\n([\s\S]+)\n```\n$/.exec(
        page,
      ) ?? [];
    const body = JSON.parse(example ?? 'null');
    expect(body).toMatchObject({
      code,
      status: Number(status),
      type: expect.stringMatching(new RegExp(`/docs/errors/${code}$`)),
    });
    expect(schemas.problems('problem', problemSchema, body)).toEqual([]);
    expect(await errorPage(code)).toContain('<h2>What to do</h2>');
  });
});
