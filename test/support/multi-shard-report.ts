import { readFileSync } from 'node:fs';
import type { Statement } from './citus-statements.js';

/** Parts of all statements that may go to more than one shard, by reason. Requests about one tenant are not among them, except writes of values. */
const REASONS = JSON.parse(readFileSync(new URL('../citus/multi-shard-statements.json', import.meta.url), 'utf8')) as Record<
  string,
  string[]
>;
const MULTI_SHARD_STATEMENTS = Object.entries(REASONS).flatMap(([reason, parts]) => parts.map((sql) => ({ sql, reason })));

const SHOWN_CHARACTERS = 160;
const UNLISTED_CHARACTERS = 3_000;

/** Prints the statements on more than one shard. @throws Error if multi-shard-statements.json does not list one of them */
export function assertListed(statements: readonly Statement[]): void {
  const several = statements.filter(({ shards }) => shards > 1);
  const lineOf = ({ multiShardExecutions, executions, shards }: Statement, sql: string): string =>
    `- ${multiShardExecutions} of ${executions} executions, up to ${shards} shards: ${sql}`;
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
      `Not in test/citus/multi-shard-statements.json, but on more than one shard:\n${unlisted.toSorted().join('\n')}`,
    );
}

const sum = (statements: readonly Statement[], key: 'executions' | 'multiShardExecutions'): number =>
  statements.reduce((total, statement) => total + statement[key], 0);
