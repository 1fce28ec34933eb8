import { ApiError, ConnectionError } from '@identity-service/client';

export const EXIT = { refused: 1, usage: 2, unauthenticated: 3, notFound: 4, unreachable: 5 } as const;

/** A mistake that the user can correct. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT.usage,
  ) {
    super(message);
  }
}

const UNAUTHENTICATED = 401;
const NOT_FOUND = 404;

export function failureOf(error: unknown): { lines: string[]; exitCode: number } {
  if (error instanceof CommandError) return { lines: [error.message], exitCode: error.exitCode };
  if (error instanceof ApiError) return { lines: linesOf(error), exitCode: exitCodeOf(error) };
  if (error instanceof ConnectionError) return { lines: [error.message], exitCode: EXIT.unreachable };
  return { lines: [error instanceof Error ? error.message : String(error)], exitCode: EXIT.refused };
}

function linesOf(error: ApiError): string[] {
  const fields = error.errors.map(({ pointer, message }) => `  ${pointer}: ${message}`);
  // The message of the error is enough for one field, unless the field is deep in a file.
  const isListed = fields.length > 1 || error.errors.some(({ pointer }) => pointer.lastIndexOf('/') > 0);
  const name = [error.code, error.requestId].filter(Boolean).join(', ');
  const hint = error.status === UNAUTHENTICATED ? ['Sign in with: identity-service login'] : [];
  return [`${error.message} (${name})`, ...(isListed ? fields : []), ...hint];
}

function exitCodeOf({ status }: ApiError): number {
  if (status === UNAUTHENTICATED) return EXIT.unauthenticated;
  return status === NOT_FOUND ? EXIT.notFound : EXIT.refused;
}
