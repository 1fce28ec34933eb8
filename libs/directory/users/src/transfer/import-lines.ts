import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { DomainError } from '#platform/common';
import { readJson } from '#platform/http';
import { ImportTooLarge, MAX_IMPORT_BYTES, MAX_LINE_BYTES } from './import-errors.js';

/** The reason why a line was rejected. `pointer` is a JSON Pointer to a field of the line. */
export interface LineError {
  readonly code: string;
  readonly message: string;
  readonly pointer?: string;
}

/**
 * A line of an import: the fields, or the error if the line can't be read. `line` is the line number. The header of a CSV file is line 1.
 */
export interface ImportLine {
  readonly line: number;
  readonly fields?: unknown;
  readonly error?: LineError;
}

/** Returns the chunks of a body. @throws ImportTooLarge (413) if the body is larger than 32 MB */
export async function* limited(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_IMPORT_BYTES) throw new ImportTooLarge();
    yield chunk;
  }
}

/** Minimum size of a line that can take milliseconds to parse. */
const LONG_LINE_BYTES = 8 * 1024;

/**
 * Reads one JSON object per line. Skips blank lines. A malformed line does not affect other lines. Yields to other requests after each long
 * line.
 */
export async function* readNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<ImportLine> {
  let line = 0;
  for await (const bytes of linesOf(chunks)) {
    line++;
    if (bytes === 'too long') {
      yield { line, error: { code: 'too_large', message: `A line can have at most ${MAX_LINE_BYTES / 1024} KB.` } };
    } else if (!isBlank(bytes)) {
      yield { line, ...parsed(bytes) };
      if (bytes.length > LONG_LINE_BYTES) await turnOfEventLoop();
    }
  }
}

const parsed = (bytes: Buffer): Omit<ImportLine, 'line'> => readLine(() => readJson(bytes));

/** Returns the fields of a line, or the error that `read` throws. */
export function readLine(read: () => unknown): Omit<ImportLine, 'line'> {
  try {
    return { fields: read() };
  } catch (error) {
    if (error instanceof DomainError) return { error: lineErrorOf(error) };
    throw error;
  }
}

/** Returns the error of a line: the first field that the error names. */
export function lineErrorOf(error: DomainError): LineError {
  const [problem] = error.errors ?? [];
  if (!problem) return { code: error.code, message: error.message };
  return { code: problem.code, message: problem.message, pointer: problem.pointer };
}

const BLANKS = new Set([0x20, 0x09, 0x0d]);
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => BLANKS.has(byte));
const NEWLINE = 0x0a;

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | 'too long'> {
  let pieces: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer): void => {
    length += piece.length;
    // Counts the length of a line that is too long, but drops its bytes.
    if (length > MAX_LINE_BYTES) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  const finished = (): Buffer | 'too long' => {
    const line = length > MAX_LINE_BYTES ? 'too long' : pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    pieces = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      yield finished();
    }
    add(chunk.subarray(start));
  }
  if (length > 0) yield finished();
}
