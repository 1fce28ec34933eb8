import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');

it('every POST operation accepts an Idempotency-Key', () => {
  const controllers = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.controller.ts') && !path.includes('node_modules'))
      .map((path) => join(ROOT, folder, path)),
  );
  expect(controllers.length).toBeGreaterThan(30);
  const withNestPost = controllers.filter((path) =>
    /import \{[^}]*\bPost\b[^}]*\} from '@nestjs\/common'/.test(readFileSync(path, 'utf8')),
  );
  expect(withNestPost).toEqual([]);
});
