import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MULTI_SHARD_STATEMENTS } from '../citus/multi-shard-statements.js';
import type { Statement } from './citus-statements.js';

const LIBRARIES = join(import.meta.dirname, '../../libs');
const SQL_FILE = /\.(query|repository)\.ts$/;
const DEFERRED_ROWS = /^WITH w1 AS \((?:INSERT|UPDATE|DELETE)/;
const WINDOW = 30;
const STEP = 10;
const SHOWN_CHARACTERS = 160;
const UNLISTED_CHARACTERS = 700;

/** Prints the statements on more than one shard. @throws Error if MULTI_SHARD_STATEMENTS does not list one of them */
export function assertListed(statements: readonly Statement[]): void {
  const several = statements.filter(({ shards }) => shards > 1);
  const files = sqlFiles();
  const lineOf = (statement: Statement, sql: string): string =>
    `- ${fileOf(statement, files)}: ${statement.multiShardExecutions} of ${statement.executions} executions, up to ${statement.shards} shards: ${sql}`;
  const listed: string[] = [];
  const unlisted: string[] = [];
  for (const statement of several) {
    const entry = MULTI_SHARD_STATEMENTS.find(({ sql }) => statement.sql.includes(sql));
    if (entry) listed.push(`${lineOf(statement, statement.sql.slice(0, SHOWN_CHARACTERS))} (${entry.reason})`);
    else unlisted.push(lineOf(statement, statement.sql.slice(0, UNLISTED_CHARACTERS)));
  }
  const unseen = MULTI_SHARD_STATEMENTS.filter((entry) => !several.some(({ sql }) => sql.includes(entry.sql)));
  console.log(
    [
      `\nStatements on distributed tables: ${statements.length} in ${sum(statements, 'executions')} executions.`,
      `On more than one shard: ${several.length} in ${sum(several, 'multiShardExecutions')} executions, ${unlisted.length} of them not listed.`,
      ...listed.toSorted(),
      ...(unseen.length > 0 ? [`Listed, but not seen in this run: ${unseen.map(({ sql }) => sql).join(' | ')}`] : []),
    ].join('\n'),
  );
  if (unlisted.length > 0)
    throw new Error(
      `Not in test/citus/multi-shard-statements.ts, but on more than one shard:\n${unlisted.toSorted().join('\n')}`,
    );
}

const sum = (statements: readonly Statement[], key: 'executions' | 'multiShardExecutions'): number =>
  statements.reduce((total, statement) => total + statement[key], 0);

/** The text of each file with SQL, with single spaces, by file name. */
function sqlFiles(): ReadonlyMap<string, string> {
  const names = readdirSync(LIBRARIES, { recursive: true, encoding: 'utf8' }).filter((name) => SQL_FILE.test(name));
  return new Map(names.map((name) => [name, readFileSync(join(LIBRARIES, name), 'utf8').replaceAll(/\s+/g, ' ')]));
}

/** Returns the file with the largest part of a statement. No file has all of it, because the code inserts values and other parts. */
function fileOf({ sql }: Statement, files: ReadonlyMap<string, string>): string {
  if (DEFERRED_ROWS.test(sql)) return 'deferred rows';
  const starts = Array.from({ length: Math.max(1, Math.ceil((sql.length - WINDOW) / STEP)) }, (_, index) => index * STEP);
  let best = { name: 'an entity', found: 0 };
  for (const [name, text] of files) {
    const found = starts.filter((start) => text.includes(sql.slice(start, start + WINDOW))).length;
    if (found > best.found) best = { name, found };
  }
  return best.name;
}
