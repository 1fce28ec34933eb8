import type { FieldDef } from 'pg';
import { types } from 'pg';
import type { EntityTarget, ObjectLiteral } from 'typeorm';

const { builtins } = types;
/** The OID of PostgreSQL's type `name`, which system catalogs use. The driver doesn't list this OID. */
const NAME = 19;

/** A column of a result: the TypeScript type of the values, and the PostgreSQL types that the driver converts to this type. */
interface Column<T> {
  readonly typeIds: readonly number[];
  readonly isNullable: boolean;
  /** Only for the type checker. */
  readonly value?: T;
}

/** The type of the rows of a statement. Tests compare this type with PostgreSQL's results (`verifyRowTypes`). */
export interface RowType<T> {
  /** Undefined for an entity, whose columns test/integration/schema.spec.ts compares with the schema. */
  readonly columns: Readonly<Record<string, Column<unknown>>> | undefined;
  /** Only for the type checker. */
  readonly row?: T;
}

export type RowOf<R> = R extends RowType<infer T> ? T : never;

const columnOf = <T>(...typeIds: readonly number[]): Column<T> => ({ typeIds, isNullable: false });

/** Array types by element type. The driver lists only the element types. */
const ARRAYS: Readonly<Record<number, number>> = {
  [builtins.TEXT]: 1009,
  [builtins.VARCHAR]: 1015,
  [NAME]: 1003,
  [builtins.INT2]: 1005,
  [builtins.INT4]: 1007,
  [builtins.FLOAT8]: 1022,
  [builtins.BOOL]: 1000,
  [builtins.TIMESTAMPTZ]: 1185,
  [builtins.BYTEA]: 1001,
  [builtins.JSON]: 199,
  [builtins.JSONB]: 3807,
};

/** The columns that a `row(…)` can have. */
export const column = {
  text: <T extends string = string>() => columnOf<T>(builtins.TEXT, builtins.VARCHAR, NAME),
  integer: <T extends number = number>() => columnOf<T>(builtins.INT2, builtins.INT4),
  float: () => columnOf<number>(builtins.FLOAT4, builtins.FLOAT8),
  /** A `bigint` or `numeric`, which the driver returns as a string. */
  digits: () => columnOf<string>(builtins.INT8, builtins.NUMERIC),
  boolean: () => columnOf<boolean>(builtins.BOOL),
  timestamp: () => columnOf<Date>(builtins.TIMESTAMPTZ),
  json: <T>() => columnOf<T>(builtins.JSON, builtins.JSONB),
  bytes: () => columnOf<Buffer>(builtins.BYTEA),
  arrayOf: <T>({ typeIds }: Column<T>): Column<T[]> => columnOf<T[]>(...typeIds.flatMap((typeId) => ARRAYS[typeId] ?? [])),
  nullable: <T>({ typeIds }: Column<T>): Column<T | null> => ({ typeIds, isNullable: true }),
};

/** Describes the rows of a statement. The keys are the column names. */
export const row = <C extends Readonly<Record<string, Column<unknown>>>>(
  columns: C,
): RowType<{ -readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never }> => ({ columns });

/** Describes rows with the columns of two types. */
export const joinedRow = <A, B>(first: RowType<A>, second: RowType<B>): RowType<A & B> => ({
  columns: first.columns && second.columns && { ...first.columns, ...second.columns },
});

/** Describes rows with the columns of an entity (`BaseQuery.selectOf`). */
export const entityRow = <E extends ObjectLiteral>(_entity: EntityTarget<E>): RowType<E> => ({ columns: undefined });

let isVerifying = false;

/** Enables the comparison of all later rows with their row types. Only for tests. */
export function verifyRowTypes(): void {
  isVerifying = true;
}

/** Compares a result with the declared row type. Does nothing before `verifyRowTypes`. @throws Error if names, types or nulls differ */
export function assertRowType(
  sql: string,
  { columns }: RowType<unknown>,
  fields: readonly FieldDef[],
  rows: readonly object[],
): void {
  if (!isVerifying || !columns) return;
  const differences = [...differencesOfFields(columns, fields), ...unexpectedNulls(columns, rows)];
  if (differences.length > 0) throw new Error(`The rows differ from their type: ${differences.join('; ')}. Statement: ${sql}`);
}

function differencesOfFields(columns: Readonly<Record<string, Column<unknown>>>, fields: readonly FieldDef[]): string[] {
  const names = new Set(fields.map(({ name }) => name));
  const missing = Object.keys(columns).filter((name) => !names.has(name));
  return [
    ...missing.map((name) => `${name} is missing`),
    ...fields.flatMap(({ name, dataTypeID }) => {
      const expected = columns[name];
      if (!expected) return [`${name} is not declared`];
      return expected.typeIds.includes(dataTypeID)
        ? []
        : [`${name} has the type ${dataTypeID}, not ${expected.typeIds.join(' or ')}`];
    }),
  ];
}

function unexpectedNulls(columns: Readonly<Record<string, Column<unknown>>>, rows: readonly object[]): string[] {
  const required = Object.keys(columns).filter((name) => !columns[name]?.isNullable);
  const nullColumns = required.filter((name) => rows.some((values) => (values as Record<string, unknown>)[name] === null));
  return nullColumns.map((name) => `${name} is null`);
}
