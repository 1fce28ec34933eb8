/** What failed, for the operator's log: codes and texts of the libraries, which hold no tokens; never what they were about. */
export function describeFailure(error: unknown): string {
  const parts: string[] = [];
  for (let each = error; each instanceof Error && parts.length < 5; each = each.cause) {
    const code = 'code' in each && typeof each.code === 'string' ? ` (${each.code})` : '';
    const word = 'error' in each && /^[a-z_]{1,40}$/.test(String(each.error)) ? ` ${String(each.error)}` : '';
    parts.push(`${each.message}${code}${word}`);
  }
  return parts.join(': ').slice(0, 500);
}
