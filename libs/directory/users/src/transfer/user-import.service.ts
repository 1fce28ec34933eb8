import { Injectable } from '@nestjs/common';
import { assertRecentlyAuthenticated, Clock, DomainError, InvalidRequest, isId, type RequestContext } from '#platform/common';
import { type AuthorizeAgain, RequestValidationPipe } from '#platform/http';
import { EarlierLines } from './earlier-lines.js';
import { ImportBatchService, type Lines, type RunningBatch } from './import-batch.service.js';
import { ImportOrganizationLine } from './import-access.requests.js';
import { MAX_LINES, TooManyLines } from './import-errors.js';
import type { ImportLine, LineError } from './import-lines.js';
import { type Candidate, claimsOf, failed, type LineOutcome, type OrganizationLine } from './import-plan.js';
import { ImportUserRequest } from './import.requests.js';
import { IGNORED_FIELDS } from './user-columns.js';

const BATCH_SIZE = 500;
const MAX_RUNNING_BATCHES = 2;

/** The number of lines by result, and the error if the import stopped early. */
export interface ImportSummary {
  readonly summary: Readonly<Record<'lines' | 'created' | 'updated' | 'unchanged' | 'failed', number>>;
  readonly complete: boolean;
  readonly preview?: true;
  readonly error?: LineError;
}

/** Starts the import or the preview of a batch. */
type StartBatch = (ctx: RequestContext, lines: Lines) => RunningBatch;

/** A read line: valid, or the outcome of an invalid line. */
type Entry = Candidate | OrganizationLine | LineOutcome;

/** A running batch with the keys that its lines claim. */
interface ClaimingBatch {
  readonly claims: ReadonlySet<string>;
  readonly onlyCreates: Promise<boolean>;
  readonly outcomes: Promise<LineOutcome[]>;
}

/**
 * Imports users, one batch of lines per transaction. Writes two batches concurrently if the batches can't match the same users, and reads a
 * third batch during these writes.
 */
@Injectable()
export class UserImportService {
  /** Maximum number of lines in one request. Tests set a lower maximum. */
  maxLines = MAX_LINES;
  private readonly validation = new RequestValidationPipe();

  constructor(
    private readonly batches: ImportBatchService,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the outcomes of each batch after the commit, in the order of the lines. The last result is the summary. Authorizes the caller
   * again for each batch, because the caller can lose access during a long import. A preview writes nothing.
   * @throws DomainError if no line was imported; the summary contains later errors
   */
  async *run(
    ctx: RequestContext,
    lines: AsyncIterable<ImportLine>,
    authorizeAgain: AuthorizeAgain,
    { preview = false } = {},
  ): AsyncGenerator<readonly (LineOutcome | ImportSummary)[]> {
    // A line can set a password and assign roles.
    assertRecentlyAuthenticated(ctx, this.clock.now());
    const counts = { lines: 0, created: 0, updated: 0, unchanged: 0, failed: 0 };
    const kind = preview ? ({ preview } as const) : {};
    try {
      for await (const outcomes of this.outcomes(lines, authorizeAgain, preview ? this.previewBatches() : this.startBatches())) {
        for (const { status } of outcomes) counts[status]++;
        counts.lines += outcomes.length;
        yield outcomes;
      }
    } catch (error) {
      if (counts.lines === 0 || !(error instanceof DomainError)) throw error;
      yield [{ summary: counts, complete: false, ...kind, error: { code: error.code, message: error.message } }];
      return;
    }
    yield [{ summary: counts, complete: true, ...kind }];
  }

  /** Returns the outcomes of each batch after the commit, in the order of the lines. Doesn't wait for the next lines of the client. */
  private async *outcomes(
    lines: AsyncIterable<ImportLine>,
    authorizeAgain: AuthorizeAgain,
    start: StartBatch,
  ): AsyncGenerator<LineOutcome[]> {
    const batches = new ReadAhead(this.readBatches(lines));
    const running: ClaimingBatch[] = [];
    const shiftOutcomes = async () => (await running.shift()?.outcomes) ?? [];
    try {
      for (;;) {
        const [first] = running;
        if (first && (running.length === MAX_RUNNING_BATCHES || (await settlesFirst(first.outcomes, batches.upcoming)))) {
          yield await shiftOutcomes();
          continue;
        }
        const entries = await batches.next();
        if (!entries) break;
        const claims = new Set(entries.flatMap((entry) => ('request' in entry ? claimsOf(entry.request) : [])));
        if (first && !(await canRunConcurrently(first, claims))) yield await shiftOutcomes();
        running.push(begin(start, authorizeAgain, entries, claims));
      }
      while (running.length > 0) yield await shiftOutcomes();
    } catch (error) {
      // Returns the outcomes of running batches before the error.
      while (running.length > 0) yield await shiftOutcomes();
      throw error;
    } finally {
      batches.close();
      // Waits for all batches, even if the client has disconnected.
      await Promise.allSettled(running.map(({ outcomes }) => outcomes));
    }
  }

  private startBatches(): StartBatch {
    return (ctx, lines) => this.batches.start(ctx, lines);
  }

  private previewBatches(): StartBatch {
    const earlier = new EarlierLines();
    return (ctx, lines) => ({
      onlyCreates: Promise.resolve(false),
      outcomes: this.batches.preview(ctx, lines, earlier.take(lines)),
    });
  }

  /** Returns the lines in batches. Lines about organizations have batches of their own, which no later batch overtakes. */
  private async *readBatches(lines: AsyncIterable<ImportLine>): AsyncGenerator<Entry[]> {
    let count = 0;
    let batch: Entry[] = [];
    for await (const line of lines) {
      // Imports the lines up to the limit.
      if (++count > this.maxLines) {
        if (batch.length > 0) yield batch;
        throw new TooManyLines(this.maxLines);
      }
      const entry = await this.validate(line);
      if (batch[0] && 'organization' in entry !== 'organization' in batch[0]) {
        yield batch;
        batch = [];
      }
      batch.push(entry);
      if (batch.length < BATCH_SIZE) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  private async validate({ line, fields, error }: ImportLine): Promise<Entry> {
    if (error) return { line, status: 'failed', error };
    try {
      if (isPlainObject(fields) && 'organization' in fields) {
        const request = await this.validation.transform(fields, { type: 'body', metatype: ImportOrganizationLine });
        return { line, organization: (request as ImportOrganizationLine).organization };
      }
      const usedFields = isPlainObject(fields)
        ? Object.fromEntries(Object.entries(fields).filter(([name]) => !IGNORED_FIELDS.includes(name)))
        : fields;
      const request = await this.validation.transform(usedFields, { type: 'body', metatype: ImportUserRequest });
      const id = isPlainObject(fields) && 'id' in fields ? fields.id : undefined;
      return { line, request: request as ImportUserRequest, ...(typeof id === 'string' && isId('user', id) ? { id } : {}) };
    } catch (failure) {
      if (!(failure instanceof InvalidRequest)) throw failure;
      return failed(line, failure);
    }
  }
}

function begin(
  start: StartBatch,
  authorizeAgain: AuthorizeAgain,
  entries: readonly Entry[],
  claims: ReadonlySet<string>,
): ClaimingBatch {
  const users = entries.filter((entry): entry is Candidate => 'request' in entry);
  const organizations = entries.filter((entry): entry is OrganizationLine => 'organization' in entry);
  const rejected = entries.filter((entry): entry is LineOutcome => 'status' in entry);
  const running = authorizeAgain().then((ctx) => start(ctx, { users, organizations }));
  const outcomes = running
    .then((batch) => batch.outcomes)
    .then((imported) => [...rejected, ...imported].sort((a, b) => a.line - b.line));
  // The code that awaits the promise handles the error.
  outcomes.catch(() => undefined);
  return { claims, onlyCreates: running.then((batch) => batch.onlyCreates).catch(() => false), outcomes };
}

/**
 * Returns whether a batch with the keys `claims` can be written during a running batch. The running batch must only create users, and the
 * batches must have no common key.
 */
async function canRunConcurrently(running: ClaimingBatch, claims: ReadonlySet<string>): Promise<boolean> {
  for (const claim of claims) if (running.claims.has(claim)) return false;
  return running.onlyCreates;
}

const isPlainObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the next item while the caller processes the current item. */
class ReadAhead<T> {
  upcoming: Promise<IteratorResult<T, void>>;

  constructor(private readonly source: AsyncGenerator<T, void>) {
    this.upcoming = this.read();
  }

  /** Returns the next item, or undefined at the end. */
  async next(): Promise<T | undefined> {
    const { value, done } = await this.upcoming;
    if (done) return undefined;
    this.upcoming = this.read();
    return value;
  }

  /** Ends the source without waiting for the next item, which a slow client can delay. */
  close(): void {
    this.source.return().catch(() => undefined);
  }

  private read(): Promise<IteratorResult<T, void>> {
    const next = this.source.next();
    // The code that awaits the promise handles the error.
    next.catch(() => undefined);
    return next;
  }
}

/** Returns whether the first promise settles before the second. */
const settlesFirst = (first: Promise<unknown>, second: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    first.then(
      () => true,
      () => true,
    ),
    second.then(
      () => false,
      () => false,
    ),
  ]);
