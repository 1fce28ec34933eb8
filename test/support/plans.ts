import { Client } from 'pg';
import type { TestApp } from './app.js';

interface Statement {
  sql: string;
  parameters: readonly (string | Buffer | Date | readonly string[] | null)[];
  /** Whether the statement is prepared. PostgreSQL can plan a prepared statement once for all values. */
  prepared: boolean;
}

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Records the statements that the driver sends, from its construction until `stop`. */
export class StatementRecorder {
  private statements: Statement[] = [];
  private readonly send = Client.prototype.query;

  constructor() {
    const { send } = this;
    const record = (statement: Statement) => this.statements.push(statement);
    Client.prototype.query = function query(this: Client, ...parameters: unknown[]) {
      const [config] = parameters as [{ text?: string; values?: Statement['parameters']; name?: string }];
      if (config.text !== undefined)
        record({ sql: config.text, parameters: config.values ?? [], prepared: config.name !== undefined });
      return (send as (...all: unknown[]) => unknown).apply(this, parameters);
    } as typeof Client.prototype.query;
  }

  /** Sends the request. Returns its statements. */
  async statementsOf(request: () => PromiseLike<unknown>): Promise<string[]> {
    this.statements = [];
    await request();
    return this.statements.map(({ sql }) => sql);
  }

  /** Sends the request several times. Returns the plan nodes of all reads of the last one, with the number of rows that each node read. */
  async plansOf(database: TestApp['database'], request: () => PromiseLike<unknown>): Promise<PlanNode[]> {
    // The service prepares repeated statements.
    await request();
    await request();
    this.statements = [];
    await request();
    const nodes: PlanNode[] = [];
    for (const { sql, parameters, prepared } of this.statements.filter(isRead)) {
      // PostgreSQL plans a prepared statement for its values or for all values. The test checks the two plans.
      for (const mode of prepared ? ['force_custom_plan', 'force_generic_plan'] : ['force_custom_plan']) {
        const values = parameters.map(literal).join(', ');
        await database.query(`SET plan_cache_mode = ${mode}; PREPARE asked AS ${sql}`);
        const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked ${values === '' ? '' : `(${values})`}`,
        );
        await database.query('DEALLOCATE asked');
        collect(row!['QUERY PLAN'][0].Plan, nodes);
      }
    }
    if (nodes.length === 0) throw new Error('The request read nothing.');
    return nodes;
  }

  stop(): void {
    Client.prototype.query = this.send;
  }
}

export const rowsRead = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];

/** Returns whether a statement is a read. The relay writes while the requests read. */
const isRead = ({ sql }: Statement): boolean => /^\s*(SELECT|WITH)/.test(sql) && !/\b(INSERT|UPDATE|DELETE)\b/.test(sql);

function literal(value: Statement['parameters'][number]): string {
  if (value === null) return 'NULL';
  if (value instanceof Date) return `'${value.toISOString()}'`;
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  return Array.isArray(value) ? `ARRAY[${value.map(literal).join(', ')}]::text[]` : `'${String(value).replaceAll("'", "''")}'`;
}

function collect(node: PlanNode, nodes: PlanNode[]): void {
  nodes.push(node);
  for (const child of node.Plans ?? []) collect(child, nodes);
}
