/** Describes a failure for the log, with error codes and messages, which contain no tokens. */
export function describeFailure(error: unknown): string {
  const messages: string[] = [];
  for (let cause = error; cause instanceof Error && messages.length < 5; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
    const errorCode = 'error' in cause && /^[a-z_]{1,40}$/.test(String(cause.error)) ? ` ${String(cause.error)}` : '';
    messages.push(`${cause.message}${code}${errorCode}`);
  }
  return messages.join(': ').slice(0, 500);
}
