import type { EntityMetadata, ObjectLiteral } from 'typeorm';

/** How rows of an entity are inserted from a JSON list of them. */
export interface EntityInsert {
  readonly sql: string;
  readonly rowOf: (entity: ObjectLiteral) => Record<string, unknown>;
}

const inserts = new WeakMap<EntityMetadata, EntityInsert>();

/** The statement that inserts a JSON list (`$1`) of rows, and what makes a row of an entity. A version begins at 1. */
export function entityInsertOf(metadata: EntityMetadata): EntityInsert {
  const known = inserts.get(metadata);
  if (known) return known;
  const columns = metadata.columns.map(({ databaseName, propertyName, type, isArray, isVersion }) => ({
    name: databaseName,
    type: `${isVersion ? 'integer' : String(type)}${isArray ? '[]' : ''}`,
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

/** Bytes are written in PostgreSQL's own notation, since JSON has none. */
const jsonOf = (value: unknown): unknown => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value);

const selects = new WeakMap<EntityMetadata, string>();

/** The beginning of a statement that reads rows of an entity (`t`), as TypeORM would name their fields. */
export function entitySelectOf(metadata: EntityMetadata): string {
  const known = selects.get(metadata);
  if (known !== undefined) return known;
  const columns = metadata.columns.map(({ databaseName, propertyName }) => `t.${databaseName} AS "${propertyName}"`);
  const select = `SELECT ${columns.join(', ')} FROM ${metadata.tableName} t`;
  selects.set(metadata, select);
  return select;
}
