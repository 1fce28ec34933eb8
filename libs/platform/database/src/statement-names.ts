import type { QueryConfig } from 'pg';

const names = new Map<string, string>();

/**
 * The name under which connections keep a statement prepared. For texts that the code holds and whose plan does not depend on their values:
 * each stays in memory here and in every connection.
 */
export function statementName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `statement_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** A statement as the driver takes it; with a name, as one that the connection keeps prepared. */
export const statementOf = (text: string, values: readonly unknown[], name?: string): QueryConfig => ({
  text,
  values: values as unknown[],
  ...(name === undefined ? {} : { name }),
});
