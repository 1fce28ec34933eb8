import { createReadStream, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { CommandError } from './failures.js';

/** Less than the limits of a request: 10,000 lines and 32 MB. */
const MAX_PART_LINES = 5_000;
const MAX_PART_BYTES = 16 * 1024 * 1024;

const STATUSES = ['created', 'updated', 'unchanged', 'failed'] as const;
export type Counts = Record<(typeof STATUSES)[number], number>;
export const NO_COUNTS: Counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
export const sumOf = (a: Counts, b: Counts): Counts =>
  Object.fromEntries(STATUSES.map((status) => [status, a[status] + b[status]])) as Counts;

/** Lines of a file that one request imports. */
export interface Part {
  readonly body: string;
  /** The number of lines before the part. */
  readonly firstLine: number;
  readonly lines: number;
}

/** Yields the lines of a file after the first `skippedLines` in parts, with a memory of one part. */
export async function* partsOf(file: string, skippedLines: number): AsyncGenerator<Part> {
  let [body, lines, read] = ['', 0, 0];
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    read += 1;
    if (read <= skippedLines) continue;
    body += `${line}\n`;
    lines += 1;
    if (lines < MAX_PART_LINES && body.length < MAX_PART_BYTES) continue;
    yield { body, firstLine: read - lines, lines };
    [body, lines] = ['', 0];
  }
  if (lines > 0) yield { body, firstLine: read - lines, lines };
}

/** How far an import has come. */
export interface Progress {
  readonly lines: number;
  readonly counts: Counts;
}

/** The progress of the import of a file, in a file beside it, so that the same command continues after an interruption. */
export class ProgressFile {
  readonly path: string;
  readonly #of: { readonly size: number; readonly modifiedMs: number; readonly target: string };

  constructor(file: string, target: string) {
    this.path = `${file}.progress`;
    const { size, mtimeMs } = statSync(file);
    this.#of = { size, modifiedMs: mtimeMs, target };
  }

  /** Returns the stored progress, or none. @throws CommandError if the stored progress is of another file or organization */
  read(): Progress {
    if (!existsSync(this.path)) return { lines: 0, counts: NO_COUNTS };
    const { of, ...progress } = JSON.parse(readFileSync(this.path, 'utf8')) as Progress & { of: unknown };
    if (JSON.stringify(of) === JSON.stringify(this.#of)) return progress;
    throw new CommandError(
      `${this.path} is the progress of another import: the file, the organization or the service was different. Use --restart to begin again. Imported users are then found, not created again.`,
    );
  }

  write(progress: Progress): void {
    writeFileSync(`${this.path}.new`, JSON.stringify({ ...progress, of: this.#of }));
    renameSync(`${this.path}.new`, this.path);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }
}
