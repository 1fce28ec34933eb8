import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ICruiseResult } from 'dependency-cruiser';
import { importGraph, picturesOf } from './import-graph.js';

const ROOT = join(import.meta.dirname, '../..');

describe('the import graph', () => {
  let graph: ICruiseResult;

  beforeAll(async () => {
    graph = await importGraph('libs', 'apps/server', 'apps/web/src');
  });

  it('contains more than 900 files', () => {
    const imports = graph.modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => `${source} ${resolved}`),
    );
    expect(imports).toContain('libs/directory/users/src/users.service.ts libs/platform/common/src/index.ts');
    expect(graph.summary.totalCruised).toBeGreaterThan(900);
  });

  it('follows the rules in .dependency-cruiser.mjs', () => {
    const violations = graph.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
    expect(violations).toEqual([]);
  });

  it('matches the pictures in docs/reference (UPDATE_DOCS=1 updates the pictures)', async () => {
    for (const [path, picture] of Object.entries(await picturesOf(await importGraph('libs')))) {
      if (process.env['UPDATE_DOCS']) writeFileSync(join(ROOT, path), picture);
      expect(readFileSync(join(ROOT, path), 'utf8')).toBe(picture);
    }
  });
});
