import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const SUFFIXES = {
  service: 'Service',
  repository: 'Repository',
  guard: 'Guard',
  interceptor: 'Interceptor',
  controller: 'Controller',
  module: 'Module',
  query: 'Query',
};
const KINDS = new RegExp(`\\.(${Object.keys(SUFFIXES).join('|')})\\.ts$`);

it('every class name ends with the kind of the class, such as Service', () => {
  const files = ['libs', 'apps/server/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  const checked = files.filter((file) => KINDS.test(file));
  expect(checked.length).toBeGreaterThan(150);
  const misnamed = checked.filter((file) => {
    const suffix = SUFFIXES[KINDS.exec(file)![1] as keyof typeof SUFFIXES];
    const classes = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^export (?:abstract )?class (\w+)/gm)];
    return !classes.some(([, name]) => name!.endsWith(suffix));
  });
  expect(misnamed).toEqual([]);
});
