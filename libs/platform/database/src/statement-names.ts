import type { QueryConfig } from 'pg';

const names = new Map<string, string>();

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

/** Returns a statement for the driver. With a name, the statement is a prepared statement. */
export const statementOf = (text: string, values: readonly unknown[], name?: string): QueryConfig => ({
  text,
  values: values as unknown[],
  ...(name === undefined ? {} : { name }),
});
