import type { QueryConfig } from 'pg';

const names = new Map<string, string>();

/**
 * Returns the name under which connections keep a statement prepared. Only for statements whose text is fixed in the code: each text stays
 * in memory here and in every connection.
 */
export function statementName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `statement_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** Returns a statement for the driver. With a name, the connection keeps it prepared. */
export const statementOf = (text: string, values: readonly unknown[], name?: string): QueryConfig => ({
  text,
  values: values as unknown[],
  ...(name === undefined ? {} : { name }),
});
