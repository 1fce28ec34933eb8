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
