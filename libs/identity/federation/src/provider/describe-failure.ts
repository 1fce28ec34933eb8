/** Describes a failure for the log, with error codes and messages, which contain no tokens. */
export function describeFailure(error: unknown): string {
  const parts: string[] = [];
  for (let each = error; each instanceof Error && parts.length < 5; each = each.cause) {
    const code = 'code' in each && typeof each.code === 'string' ? ` (${each.code})` : '';
    const errorCode = 'error' in each && /^[a-z_]{1,40}$/.test(String(each.error)) ? ` ${String(each.error)}` : '';
    parts.push(`${each.message}${code}${errorCode}`);
  }
  return parts.join(': ').slice(0, 500);
}
