import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const MIGRATIONS_FOLDER = 'libs/platform/database/src/migrations';

const LIST = /(export const MIGRATIONS = \[)([^\]]*)\];/;

/**
 * Returns a timestamp for a new migration that is later than all existing timestamps, even if the clock is behind. Migrations run in
 * the order of their timestamps.
 */
export function nextTimestamp(projectDir) {
  const existing = readdirSync(join(projectDir, MIGRATIONS_FOLDER)).map((file) => Number(/^(\d{13})-/.exec(file)?.[1] ?? 0));
  return Math.max(Date.now(), Math.max(0, ...existing) + 1);
}

export function withMigration(index, className, file) {
  if (!LIST.test(index)) throw new Error(`${MIGRATIONS_FOLDER}/index.ts does not contain the list of migrations.`);
  const imports = [...index.matchAll(/^import .*$/gm)];
  const importsEnd = imports.length === 0 ? 0 : imports.at(-1).index + imports.at(-1)[0].length + 1;
  const withImport = `${index.slice(0, importsEnd)}import { ${className} } from './${file}.js';\n${index.slice(importsEnd)}`;
  const entries = (existing) => [...existing.split(',').map((entry) => entry.trim()), className].filter(Boolean).join(', ');
  return withImport.replace(LIST, (_, head, existing) => `${head}${entries(existing)}];`);
}

export function withoutMigration(index, className) {
  return index
    .replace(new RegExp(`^import \\{ ${className} \\} .*\\n`, 'm'), '')
    .replace(new RegExp(`^\\s*${className},\\n`, 'm'), '');
}
