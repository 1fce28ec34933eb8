import { LRUCache } from 'lru-cache';
import type { QueryConfig } from 'pg';

/** The number of uses after which a statement counts as repeated. */
const FEW_USES = 2;
/** Each prepared statement stays in the memory of this process and of the connections that execute it. */
const MAX_REPEATED_STATEMENTS = 1_000;
/** Above this length of a list, the best plan can depend on the length. Without values, PostgreSQL plans for ten. */
const MAX_LIST_LENGTH = 20;

const names = new Map<string, string>();
/** Counts the uses of statements without a name. Texts that contain values, such as an offset, are rarely repeated and drop out. */
const uses = new LRUCache<string, number>({ max: MAX_REPEATED_STATEMENTS });

/**
 * Returns the name of a prepared statement. Use only texts that are fixed in the code: each text stays in the memory of this process and of
 * every connection.
 */
export function statementName(text: string): string {
  const existing = names.get(text);
  if (existing !== undefined) return existing;
  const name = `statement_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/**
 * Returns the name of a prepared statement if the statement was used before. Returns undefined for new statements, for long lists, and
 * without values: several statements in one text, such as settings, can't be prepared.
 */
export function repeatedStatementName(text: string, values: readonly unknown[]): string | undefined {
  if (values.length === 0 || values.some((value) => Array.isArray(value) && value.length > MAX_LIST_LENGTH)) return undefined;
  const existing = names.get(text);
  if (existing !== undefined) return existing;
  const count = (uses.get(text) ?? 0) + 1;
  if (count <= FEW_USES || names.size >= MAX_REPEATED_STATEMENTS) {
    uses.set(text, count);
    return undefined;
  }
  uses.delete(text);
  return statementName(text);
}

/** Returns a statement for the driver. With a name, the statement is a prepared statement. */
export const statementOf = (text: string, values: readonly unknown[], name?: string): QueryConfig => ({
  text,
  values: values as unknown[],
  ...(name === undefined ? {} : { name }),
});
