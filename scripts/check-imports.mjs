import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importGraph, picturesOf } from './import-graph.mjs';

// Checks the imports by the rules in .dependency-cruiser.mjs, and that the pictures of the imports are up to date. UPDATE_DOCS=1 updates the
// pictures.

const ROOT = join(import.meta.dirname, '..');
const MIN_FILES = 900;

const graph = await importGraph('libs', 'apps/server', 'apps/web/src');
const { totalCruised, violations } = graph.summary;
const problems = violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
if (totalCruised < MIN_FILES) problems.push(`The graph has only ${totalCruised} files.`);
for (const [path, picture] of Object.entries(await picturesOf(graph))) {
  if (process.env['UPDATE_DOCS']) writeFileSync(join(ROOT, path), picture);
  else if (readFileSync(join(ROOT, path), 'utf8') !== picture)
    problems.push(`${path} is out of date. Run UPDATE_DOCS=1 npm run lint:imports.`);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
