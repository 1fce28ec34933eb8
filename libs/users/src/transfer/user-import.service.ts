import { Injectable } from '@nestjs/common';
import { DomainError, InvalidRequest, organizationOf, type RequestContext, ResourceNotFound } from '#common';
import { RequestValidationPipe } from '#http';
import { OrganizationPending, OrganizationScopes, OrganizationSuspended } from '#organizations';
import { ImportBatch } from './import-batch.service.js';
import { MAX_LINES, TooManyLines } from './import-errors.js';
import type { ImportLine, LineError } from './import-lines.js';
import { type Candidate, failed, type LineOutcome } from './import-plan.js';
import { ImportUserRequest } from './import.requests.js';
import { PASSED_OVER } from './user-columns.js';

const BATCH_SIZE = 500;

/** The end of an import: how many lines met which fate, and why it stopped early, if it did. */
export interface ImportSummary {
  readonly summary: Readonly<Record<'lines' | 'created' | 'updated' | 'unchanged' | 'failed', number>>;
  readonly complete: boolean;
  readonly error?: LineError;
}

/** Imports users line by line, a batch in each transaction, holding no more than two batches. */
@Injectable()
export class UserImport {
  private readonly validation = new RequestValidationPipe();

  constructor(
    private readonly batches: ImportBatch,
    private readonly scopes: OrganizationScopes,
  ) {}

  /**
   * Gives the outcomes of each batch once it has committed, in the order of the lines, and at last the summary.
   * @throws DomainError when nothing was imported at all; later the summary tells
   */
  async *run(ctx: RequestContext, lines: AsyncIterable<ImportLine>): AsyncGenerator<readonly (LineOutcome | ImportSummary)[]> {
    const counts = { lines: 0, created: 0, updated: 0, unchanged: 0, failed: 0 };
    try {
      for await (const read of readAhead(this.readBatches(lines))) {
        const outcomes = await this.outcomesOf(ctx, read);
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

  private async *readBatches(lines: AsyncIterable<ImportLine>): AsyncGenerator<(Candidate | LineOutcome)[]> {
    let count = 0;
    let batch: (Candidate | LineOutcome)[] = [];
    for await (const line of lines) {
      // What was read before the limit is imported.
      if (++count > MAX_LINES) {
        if (batch.length > 0) yield batch;
        throw new TooManyLines();
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
        ? Object.fromEntries(Object.entries(fields).filter(([name]) => !PASSED_OVER.includes(name)))
        : fields;
      const request = await this.validation.transform(given, { type: 'body', metatype: ImportUserRequest });
      return { line, request: request as ImportUserRequest };
    } catch (failure) {
      if (!(failure instanceof InvalidRequest)) throw failure;
      return failed(line, failure);
    }
  }

  private async outcomesOf(ctx: RequestContext, read: readonly (Candidate | LineOutcome)[]): Promise<LineOutcome[]> {
    await this.assertWritable(ctx);
    const candidates = read.filter((entry): entry is Candidate => 'request' in entry);
    const refused = read.filter((entry): entry is LineOutcome => 'status' in entry);
    const imported = await this.batches.run(ctx, candidates);
    return [...refused, ...imported].sort((a, b) => a.line - b.line);
  }

  /** An import may take minutes, in which its organization can be suspended or deleted. */
  private async assertWritable(ctx: RequestContext): Promise<void> {
    const { id, slug } = organizationOf(ctx);
    const scope = await this.scopes.findScope(ctx, id);
    if (!scope) throw new ResourceNotFound('organization', slug);
    if (scope.status === 'suspended') throw new OrganizationSuspended();
    if (scope.status === 'pending') throw new OrganizationPending(scope);
  }
}

const isPlainObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the next item while the present one is worked on. */
async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const read = () => {
    const next = source.next();
    // Thrown where it is awaited.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let next = read(); ;) {
      const { value, done } = await next;
      if (done) return;
      next = read();
      yield value as T;
    }
  } finally {
    // Not awaited: it would wait for the read under way, which a slow client can draw out.
    source.return(undefined).catch(() => undefined);
  }
}
