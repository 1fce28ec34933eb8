/** Rows for a statement that writes a JSON list of them, given as `$1`: `INSERT INTO … SELECT … FROM json_to_recordset($1::json) AS r (…)`. */
export interface RowsToWrite {
  readonly sql: string;
  readonly rows: readonly object[];
  /** What a database error means, if it is about these rows. */
  readonly meaningOf?: (error: unknown) => Error | undefined;
}

/** One statement that does the work of several. */
export interface BatchStatement {
  readonly text: string;
  readonly values: string[];
  /** The first meaning that one of the parts finds in a database error, else the error itself. */
  readonly meaningOf: (error: unknown) => unknown;
}

/** Gathers rows for several tables. Rows for the same statement keep their order; that between statements is left to PostgreSQL. */
export class WriteBatch {
  private rows = new Map<string, object[]>();
  private meanings: NonNullable<RowsToWrite['meaningOf']>[] = [];

  get isEmpty(): boolean {
    return this.rows.size === 0;
  }

  add({ sql, rows, meaningOf }: RowsToWrite): void {
    if (rows.length === 0) return;
    const gathered = this.rows.get(sql);
    if (gathered) gathered.push(...rows);
    else this.rows.set(sql, [...rows]);
    if (meaningOf) this.meanings.push(meaningOf);
  }

  /** All that was gathered, as one statement; the batch is empty afterwards. */
  take(): BatchStatement {
    const parts = [...this.rows];
    const meanings = this.meanings;
    this.rows = new Map();
    this.meanings = [];
    return {
      text: textOf(parts.map(([sql]) => sql)),
      values: parts.map(([, rows]) => JSON.stringify(rows)),
      meaningOf: (error) => meanings.map((meaningOf) => meaningOf(error)).find((meaning) => meaning !== undefined) ?? error,
    };
  }
}

/** Each statement becomes a part of one (`WITH`), with a parameter of its own. */
function textOf(statements: readonly string[]): string {
  const parts = statements.map((sql, index) => `w${index + 1} AS (${sql.replaceAll('$1', `$${index + 1}`)})`);
  return `WITH ${parts.join(', ')} SELECT`;
}
