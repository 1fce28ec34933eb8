import { DomainError, type FieldProblem } from '#platform/common';

/** Maximum number of users in one request. */
export const MAX_LINES = 10_000;
export const MAX_IMPORT_BYTES = 32 * 1024 * 1024;
/** Maximum size of one line of NDJSON or one row of CSV, in bytes. */
export const MAX_LINE_BYTES = 64 * 1024;

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
