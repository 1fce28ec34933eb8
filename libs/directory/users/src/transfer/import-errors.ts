import { DomainError, type ErrorKind, type FieldProblem } from '#platform/common';

/** Maximum number of users in one request. */
export const MAX_LINES = 10_000;
export const MAX_IMPORT_BYTES = 32 * 1024 * 1024;
/** Maximum size of one line of NDJSON or one row of CSV, in bytes. */
export const MAX_LINE_BYTES = 64 * 1024;

/** An error with the field of the line that causes it. */
export class LineProblem extends DomainError {
  readonly code: string;
  readonly kind: ErrorKind;
  override readonly errors: readonly FieldProblem[];
  constructor({ code, kind, message }: Pick<DomainError, 'code' | 'kind' | 'message'>, pointer: string) {
    super(message);
    this.code = code;
    this.kind = kind;
    // A line has the error that the operation for one user returns.
    this.errors = [{ pointer, in: 'body', code: code as FieldProblem['code'], message }];
  }
}

/** Returns the error of a field of a line that has a wrong value. */
export const invalidField = (pointer: string, code: FieldProblem['code'], message: string): LineProblem =>
  new LineProblem({ code, kind: 'malformed', message }, pointer);

/** Runs a check. Names the field in the error. @throws LineProblem */
export function checkField<T>(pointer: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof DomainError && !error.errors ? new LineProblem(error, pointer) : error;
  }
}

export class TooManyLines extends DomainError {
  readonly code = 'too_many_lines';
  readonly kind = 'too_large';
  constructor(maxLines: number) {
    super(`A request can import at most ${maxLines.toLocaleString('en')} users. Send the remaining lines in another request.`);
  }
}

export class ImportTooLarge extends DomainError {
  readonly code = 'content_too_large';
  readonly kind = 'too_large';
  constructor() {
    super(`The request body is larger than ${MAX_IMPORT_BYTES / 1024 ** 2} MB. Split its lines into several requests.`);
  }
}

/** A CSV file with malformed quotes, a malformed encoding or an unknown column. */
export class MalformedCsv extends DomainError {
  readonly code = 'malformed_csv';
  readonly kind = 'malformed';
  constructor(
    message: string,
    override readonly errors?: readonly FieldProblem[],
  ) {
    super(message);
  }
}
