import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { CitusCluster } from './citus.js';
import { NODES_PREFIX } from './postgres.js';
import { runSql, TEST_APPLICATION } from './run-sql.js';

/** Settings of the coordinator that write each statement and the commands for its shards to the log. */
const SETTINGS = {
  log_line_prefix: '@@%c %d %a@@ ',
  log_error_verbosity: 'terse',
  'citus.log_remote_commands': 'on',
  log_min_messages: 'notice',
  client_min_messages: 'warning',
  log_min_error_statement: 'notice',
  // Its lines separate the executions of a statement.
  log_duration: 'on',
};
const ENTRY = /^@@(\S+) (\S*) ([^@]*)@@ ([A-Z]+): {2}(.*)$/;
/** Connections of tests, migrations and Citus. */
const NOT_OF_SERVICE = new RegExp(`^(?:${TEST_APPLICATION}$|migrations$|Citus)`, 'i');
const COMMAND = 'issuing ';
const SHARD = /\bpublic\.([a-z_][a-z0-9_]*)_(\d+)\b/g;

/** A shard by its number, with the position of its rows: tables that are distributed alike have the same positions. */
export type ShardPositions = ReadonlyMap<string, string>;

export interface Statement {
  /** The text with single spaces, without the values of literals, and with one row of `VALUES`. */
  readonly sql: string;
  executions: number;
  /** The number of executions on more than one shard. */
  multiShardExecutions: number;
  /** The largest number of shards of an execution. */
  shards: number;
  /** The sum of the shards of all executions. */
  shardsOfAll: number;
}

/** Writes all statements from now on to the log of the coordinator. */
export async function logStatements({ coordinator }: CitusCluster): Promise<void> {
  for (const [name, value] of Object.entries(SETTINGS)) await runSql(coordinator.url, `ALTER SYSTEM SET ${name} = '${value}'`);
  await runSql(coordinator.url, 'SELECT pg_reload_conf()');
}

/** Reads the positions of the shards of a database. */
export async function readShardPositions(url: string): Promise<ShardPositions> {
  const rows = await runSql<{ shard: string; position: string }>(
    url,
    `SELECT s.shardid::text AS shard, concat_ws(' ', p.colocationid, s.shardminvalue) AS position
     FROM pg_dist_shard s JOIN pg_dist_partition p USING (logicalrelid)`,
  );
  return new Map(rows.map(({ shard, position }) => [shard, position]));
}

/** Returns the statements of the service on distributed tables, from the log of the coordinator after the first `start` bytes. */
export async function readStatements(logFile: string, positions: ShardPositions, start = 0): Promise<Statement[]> {
  const statements = new Map<string, Statement>();
  const running = new Map<string, Execution>();
  let current: Entry | undefined;
  const finish = (): void => {
    if (current) addEntry(current, running, (execution) => count(statements, execution, positions));
  };
  for await (const line of createInterface({ input: createReadStream(logFile, { start }) })) {
    const [, session, database, application, level, text] = ENTRY.exec(line) ?? [];
    if (session === undefined) {
      if (current) current.text += `\n${line}`;
      continue;
    }
    finish();
    current = { session, database: database!, application: application!, level: level!, text: text! };
  }
  finish();
  return [...statements.values()];
}

interface Entry {
  readonly session: string;
  readonly database: string;
  readonly application: string;
  readonly level: string;
  text: string;
}

interface Execution {
  sql: string;
  readonly commands: string[];
}

function addEntry(
  { session, database, application, level, text }: Entry,
  running: Map<string, Execution>,
  end: (done: Execution) => void,
): void {
  if (NOT_OF_SERVICE.test(application) || database.startsWith(NODES_PREFIX)) return;
  const execution = running.get(session) ?? { sql: '', commands: [] };
  running.set(session, execution);
  if (level === 'NOTICE' && text.startsWith(COMMAND)) execution.commands.push(text);
  else if (level === 'STATEMENT') execution.sql = text;
  else if (level === 'ERROR' || (level === 'LOG' && text.startsWith('duration:'))) {
    running.delete(session);
    end(execution);
  }
}

function count(statements: Map<string, Statement>, { sql, commands }: Execution, positions: ShardPositions): void {
  const shards = shardCount(commands, positions);
  if (shards === 0) return;
  const normalized = normalize(sql);
  const statement = statements.get(normalized) ?? {
    sql: normalized,
    executions: 0,
    multiShardExecutions: 0,
    shards: 0,
    shardsOfAll: 0,
  };
  statement.executions += 1;
  statement.shardsOfAll += shards;
  if (shards > 1) statement.multiShardExecutions += 1;
  statement.shards = Math.max(statement.shards, shards);
  statements.set(normalized, statement);
}

/** Counts the shards in the commands of an execution. Shards of partitions that are created later have no known position, and count by table. */
function shardCount(commands: readonly string[], positions: ShardPositions): number {
  const known = new Set<string>();
  const unknown = new Map<string, Set<string>>();
  for (const [, table, shard] of commands.flatMap((command) => [...command.matchAll(SHARD)])) {
    const position = positions.get(shard!);
    if (position !== undefined) known.add(position);
    else unknown.set(table!, (unknown.get(table!) ?? new Set()).add(shard!));
  }
  return Math.max(known.size, ...[...unknown.values()].map(({ size }) => size));
}

const normalize = (sql: string): string =>
  sql
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/'evt_[^']*'/g, "'evt_…'")
    .replaceAll(/(VALUES \([^()]*\))(?:, ?\([^()]*\))+/g, '$1, …')
    .trim();
