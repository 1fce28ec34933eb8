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
};
const KINDS = new RegExp(`\\.(${Object.keys(SUFFIXES).join('|')})\\.ts$`);

it('every service, repository, guard, interceptor and controller says what it is in the name of its class', () => {
  const files = ['libs', 'apps/server/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  const ofAKind = files.filter((file) => KINDS.test(file));
  expect(ofAKind.length).toBeGreaterThan(150);
  const misnamed = ofAKind.filter((file) => {
    const suffix = SUFFIXES[KINDS.exec(file)![1] as keyof typeof SUFFIXES];
    const classes = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^export (?:abstract )?class (\w+)/gm)];
    return !classes.some(([, name]) => name!.endsWith(suffix));
  });
  expect(misnamed).toEqual([]);
});
