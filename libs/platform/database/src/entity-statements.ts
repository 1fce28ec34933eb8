import type { EntityMetadata, ObjectLiteral } from 'typeorm';

/**
 * An insert statement for rows of an entity. `sql` reads the rows from a JSON array (`$1`). `rowOf` returns the array element for an
 * entity.
 */
export interface EntityInsert {
  readonly sql: string;
  readonly rowOf: (entity: ObjectLiteral) => Record<string, unknown>;
}

/** Returns the columns of an entity with their SQL types, as in `json_to_recordset`. */
export const columnTypesOf = ({ columns }: EntityMetadata): { name: string; type: string }[] =>
  columns.map(({ databaseName, type, isArray, isVersion }) => ({
    name: databaseName,
    type: `${isVersion ? 'integer' : String(type)}${isArray ? '[]' : ''}`,
  }));

const inserts = new WeakMap<EntityMetadata, EntityInsert>();

/** Returns the insert statement of an entity. The version of a new row is 1. */
export function entityInsertOf(metadata: EntityMetadata): EntityInsert {
  const cached = inserts.get(metadata);
  if (cached) return cached;
  const types = columnTypesOf(metadata);
  const columns = metadata.columns.map(({ propertyName, isVersion }, index) => ({
    name: types[index]?.name ?? '',
    type: types[index]?.type ?? '',
    valueOf: (entity: ObjectLiteral): unknown => (isVersion ? 1 : entity[propertyName]),
  }));
  const names = columns.map(({ name }) => name);
  const insert: EntityInsert = {
    sql: `INSERT INTO ${metadata.tableName} (${names.join(', ')}) SELECT ${names.map((name) => `r.${name}`).join(', ')}
      FROM json_to_recordset($1::json) AS r (${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`,
    rowOf: (entity) => Object.fromEntries(columns.map(({ name, valueOf }) => [name, jsonOf(valueOf(entity))])),
  };
  inserts.set(metadata, insert);
  return insert;
}

/** Converts bytes to PostgreSQL's text format of `bytea`, because JSON has no type for bytes. */
const jsonOf = (value: unknown): unknown => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value);

const selects = new WeakMap<EntityMetadata, string>();

/** Returns `SELECT … FROM … t` for an entity. The column names are the names of the entity's properties. */
export function entitySelectOf(metadata: EntityMetadata): string {
  const cached = selects.get(metadata);
  if (cached !== undefined) return cached;
  const columns = metadata.columns.map(({ databaseName, propertyName }) => `t.${databaseName} AS "${propertyName}"`);
  const select = `SELECT ${columns.join(', ')} FROM ${metadata.tableName} t`;
  selects.set(metadata, select);
  return select;
}
