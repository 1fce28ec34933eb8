import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the migrations. */
export const MIGRATIONS_FOLDER = 'libs/platform/database/src/migrations';

const LIST = /(export const MIGRATIONS = \[)([^\]]*?),?\s*\];/;

/**
 * Returns the timestamp of a new migration. It is after all existing migrations, even if the clock lags, because migrations run in this
 * order.
 */
export function nextTimestamp(projectDir) {
  const existing = readdirSync(join(projectDir, MIGRATIONS_FOLDER)).map((file) => Number(/^(\d{13})-/.exec(file)?.[1] ?? 0));
  return Math.max(Date.now(), Math.max(0, ...existing) + 1);
}

/** Returns index.ts with one more migration in its list. */
export function listed(index, className, file) {
  if (!LIST.test(index)) throw new Error(`${MIGRATIONS_FOLDER}/index.ts does not contain the list of migrations.`);
  const imports = [...index.matchAll(/^import .*$/gm)];
  const end = imports.length === 0 ? 0 : imports.at(-1).index + imports.at(-1)[0].length + 1;
  const withImport = `${index.slice(0, end)}import { ${className} } from './${file}.js';\n${index.slice(end)}`;
  const entries = (existing) => [...existing.split(',').map((entry) => entry.trim()), className].filter(Boolean).join(', ');
  return withImport.replace(LIST, (_, head, existing) => `${head}${entries(existing)}];`);
}

/** Returns index.ts without a migration in its list. */
export function unlisted(index, className) {
  return index
    .replace(new RegExp(`^import \\{ ${className} \\} .*\\n`, 'm'), '')
    .replace(new RegExp(`^\\s*${className},\\n`, 'm'), '');
}
