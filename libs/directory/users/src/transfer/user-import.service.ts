import { Injectable } from '@nestjs/common';
import { assertRecentlyAuthenticated, Clock, DomainError, InvalidRequest, type RequestContext } from '#platform/common';
import { type AuthorizeAgain, RequestValidationPipe } from '#platform/http';
import { ImportBatchService } from './import-batch.service.js';
import { MAX_LINES, TooManyLines } from './import-errors.js';
import type { ImportLine, LineError } from './import-lines.js';
import { type Candidate, claimsOf, failed, type LineOutcome } from './import-plan.js';
import { ImportUserRequest } from './import.requests.js';
import { IGNORED_FIELDS } from './user-columns.js';

const BATCH_SIZE = 500;
/** Batches that are written at once. */
const MAX_UNDER_WAY = 2;

/** The end of an import: how many lines met which fate, and why it stopped early, if it did. */
export interface ImportSummary {
  readonly summary: Readonly<Record<'lines' | 'created' | 'updated' | 'unchanged' | 'failed', number>>;
  readonly complete: boolean;
  readonly error?: LineError;
}

/** A batch under way with what its lines claim. */
interface BatchUnderWay {
  readonly claims: ReadonlySet<string>;
  readonly onlyCreates: Promise<boolean>;
  readonly outcomes: Promise<LineOutcome[]>;
}

/**
 * Imports users line by line, a batch in each transaction. Two batches are written at once where they can't touch the same users, while a
 * third one is read.
 */
@Injectable()
export class UserImportService {
  /** Lines of one request; tests lower it. */
  maxLines = MAX_LINES;
  private readonly validation = new RequestValidationPipe();

  constructor(
    private readonly batches: ImportBatchService,
    private readonly clock: Clock,
  ) {}

  /**
   * Gives the outcomes of each batch once it has committed, in the order of the lines, and at last the summary. The caller is authorized again
   * for each batch: an import may take minutes, in which the caller can lose access and the organization can be suspended or deleted.
   * @throws DomainError when nothing was imported at all; later the summary tells
   */
  async *run(
    ctx: RequestContext,
    lines: AsyncIterable<ImportLine>,
    authorizeAgain: AuthorizeAgain,
  ): AsyncGenerator<readonly (LineOutcome | ImportSummary)[]> {
    // A line can set a password's hash, and give any role that the caller may give.
    assertRecentlyAuthenticated(ctx, this.clock.now());
    const counts = { lines: 0, created: 0, updated: 0, unchanged: 0, failed: 0 };
    try {
      for await (const outcomes of this.outcomes(lines, authorizeAgain)) {
        for (const { status } of outcomes) counts[status]++;
        counts.lines += outcomes.length;
        yield outcomes;
      }
    } catch (error) {
      if (counts.lines === 0 || !(error instanceof DomainError)) throw error;
      yield [{ summary: counts, complete: false, error: { code: error.code, message: error.message } }];
      return;
    }
    yield [{ summary: counts, complete: true }];
  }

  /** Those of each batch once it has committed, in the order of the lines, also while the client is slow to send more. */
  private async *outcomes(lines: AsyncIterable<ImportLine>, authorizeAgain: AuthorizeAgain): AsyncGenerator<LineOutcome[]> {
    const batches = new ReadAhead(this.readBatches(lines));
    const underWay: BatchUnderWay[] = [];
    const finished = async () => underWay.shift()!.outcomes;
    try {
      for (;;) {
        const [first] = underWay;
        if (first && (underWay.length === MAX_UNDER_WAY || (await settlesFirst(first.outcomes, batches.upcoming)))) {
          yield await finished();
          continue;
        }
        const read = await batches.next();
        if (!read) break;
        const claims = new Set(read.flatMap((entry) => ('request' in entry ? claimsOf(entry.request) : [])));
        if (first && !(await isApart(first, claims))) yield await finished();
        underWay.push(this.begin(authorizeAgain, read, claims));
      }
      while (underWay.length > 0) yield await finished();
    } catch (error) {
      // What was begun is told, whatever else failed.
      while (underWay.length > 0) yield await finished();
      throw error;
    } finally {
      batches.close();
      // Ends before the request does, also when nobody listens any longer.
      await Promise.allSettled(underWay.map(({ outcomes }) => outcomes));
    }
  }

  private begin(
    authorizeAgain: AuthorizeAgain,
    read: readonly (Candidate | LineOutcome)[],
    claims: ReadonlySet<string>,
  ): BatchUnderWay {
    const candidates = read.filter((entry): entry is Candidate => 'request' in entry);
    const refused = read.filter((entry): entry is LineOutcome => 'status' in entry);
    const running = authorizeAgain().then((ctx) => this.batches.start(ctx, candidates));
    const outcomes = running
      .then((batch) => batch.outcomes)
      .then((imported) => [...refused, ...imported].sort((a, b) => a.line - b.line));
    // Thrown where it is awaited.
    outcomes.catch(() => undefined);
    return { claims, onlyCreates: running.then((batch) => batch.onlyCreates).catch(() => false), outcomes };
  }

  private async *readBatches(lines: AsyncIterable<ImportLine>): AsyncGenerator<(Candidate | LineOutcome)[]> {
    let count = 0;
    let batch: (Candidate | LineOutcome)[] = [];
    for await (const line of lines) {
      // What was read before the limit is imported.
      if (++count > this.maxLines) {
        if (batch.length > 0) yield batch;
        throw new TooManyLines(this.maxLines);
      }
      batch.push(await this.judge(line));
      if (batch.length < BATCH_SIZE) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  private async judge({ line, fields, error }: ImportLine): Promise<Candidate | LineOutcome> {
    if (error) return { line, status: 'failed', error };
    try {
      const given = isPlainObject(fields)
        ? Object.fromEntries(Object.entries(fields).filter(([name]) => !IGNORED_FIELDS.includes(name)))
        : fields;
      const request = await this.validation.transform(given, { type: 'body', metatype: ImportUserRequest });
      return { line, request: request as ImportUserRequest };
    } catch (failure) {
      if (!(failure instanceof InvalidRequest)) throw failure;
      return failed(line, failure);
    }
  }
}

/** Whether a batch can be written beside the one under way: that one changes nobody, and makes nobody whom this one could mean. */
async function isApart(underWay: BatchUnderWay, claims: ReadonlySet<string>): Promise<boolean> {
  for (const claim of claims) if (underWay.claims.has(claim)) return false;
  return underWay.onlyCreates;
}

const isPlainObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the next item while the present one is worked on. */
class ReadAhead<T> {
  upcoming: Promise<IteratorResult<T, void>>;

  constructor(private readonly source: AsyncGenerator<T, void>) {
    this.upcoming = this.read();
  }

  /** Nothing at the end. */
  async next(): Promise<T | undefined> {
    const { value, done } = await this.upcoming;
    if (done) return undefined;
    this.upcoming = this.read();
    return value;
  }

  /** Not awaited: it would wait for the read under way, which a slow client can draw out. */
  close(): void {
    this.source.return().catch(() => undefined);
  }

  private read(): Promise<IteratorResult<T, void>> {
    const next = this.source.next();
    // Thrown where it is awaited.
    next.catch(() => undefined);
    return next;
  }
}

/** Whether one is done, in whatever way, before the other. */
const settlesFirst = (one: Promise<unknown>, other: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    one.then(
      () => true,
      () => true,
    ),
    other.then(
      () => false,
      () => false,
    ),
  ]);
