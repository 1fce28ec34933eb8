import { Injectable } from '@nestjs/common';
import { assertNotImpersonated, DomainError, emailKey, organizationOf, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { isUniqueViolation, TransactionRunner } from '#platform/database';
import { AccountTaken } from '../federation/account-taken.js';
import type { User } from '../user.entity.js';
import { UserRepository } from '../user.repository.js';
import { type Candidate, failed, type LineOutcome, Matches, type OrganizationLine, splitByMatchedUser } from './import-plan.js';
import { ImportedOrganizationsService } from './imported-organizations.service.js';
import { ImportPlanningService } from './import-planning.service.js';
import { ImportWriterService } from './import-writer.service.js';

/**
 * Maximum number of consecutive passes without an imported line. Concurrent requests that take the email addresses of the lines can cause
 * such passes.
 */
const MAX_PASSES_WITHOUT_PROGRESS = 5;

/** The valid lines of a batch. */
export interface Lines {
  readonly users: readonly Candidate[];
  readonly organizations: readonly OrganizationLine[];
}

interface Pass {
  readonly outcomes: readonly LineOutcome[];
  /** The lines that wait for the next pass. */
  readonly later: readonly Candidate[];
}

/** Runs the import of lines in a transaction, or in a part of a transaction that rolls back. */
type Transact = (work: (ctx: RequestContext) => Promise<Pass>) => Promise<Pass>;

/** Receives whether all lines create users. Only the first call has an effect. */
type OnOnlyCreates = (onlyCreates: boolean) => void;

export interface RunningBatch {
  /** Resolves before the lines are written. True if all lines create users, because such a batch changes no user of a concurrent batch. */
  readonly onlyCreates: Promise<boolean>;
  readonly outcomes: Promise<LineOutcome[]>;
}

/** Imports a batch of lines. Lines that match one user are imported in separate transactions. */
@Injectable()
export class ImportBatchService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UserRepository,
    private readonly planning: ImportPlanningService,
    private readonly writer: ImportWriterService,
    private readonly organizations: ImportedOrganizationsService,
    private readonly transactions: TransactionRunner,
  ) {}

  /**
   * Returns what the import of a batch would do, and writes nothing. `earlier` are the lines before the batch on which its lines can depend,
   * which are repeated for this. The users and organizations that the batch would create have no id.
   */
  async preview(ctx: RequestContext, { users, organizations }: Lines, earlier: Lines): Promise<LineOutcome[]> {
    const lines = new Set([...users, ...organizations].map(({ line }) => line));
    const outcomes = await this.transactions.rehearse(ctx, async (ctx, attempt) => {
      const created: LineOutcome[] = [];
      for (const line of [...earlier.organizations, ...organizations])
        created.push(await this.organizations.importOne(ctx, line, attempt));
      return [...created, ...(await this.run([...earlier.users, ...users], (work) => attempt(() => work(ctx))))];
    });
    return outcomes
      .filter(({ line }) => lines.has(line))
      .map((outcome) => (outcome.status === 'created' ? { line: outcome.line, status: outcome.status } : outcome));
  }

  /**
   * Starts the import of a batch, whose lines are all about users or all about organizations. `outcomes` resolves to the outcome of every line, in any order. A failed line does not affect other
   * lines.
   */
  start(ctx: RequestContext, { users, organizations }: Lines): RunningBatch {
    if (organizations.length > 0)
      return { onlyCreates: Promise.resolve(false), outcomes: this.organizations.import(ctx, organizations) };
    let onOnlyCreates: OnOnlyCreates = () => undefined;
    const onlyCreates = new Promise<boolean>((resolve) => (onOnlyCreates = resolve));
    const transact: Transact = (work) => this.work.run(ctx, work);
    const outcomes = this.run(users, transact, onOnlyCreates).finally(() => onOnlyCreates(false));
    return { onlyCreates, outcomes };
  }

  private async run(
    candidates: readonly Candidate[],
    transact: Transact,
    onOnlyCreates: OnOnlyCreates = () => undefined,
  ): Promise<LineOutcome[]> {
    const outcomes: LineOutcome[] = [];
    let passesWithoutProgress = 0;
    for (let remaining = candidates; remaining.length > 0;) {
      const pass = await this.pass(remaining, transact, onOnlyCreates);
      passesWithoutProgress = pass.outcomes.length > 0 ? 0 : passesWithoutProgress + 1;
      if (passesWithoutProgress > MAX_PASSES_WITHOUT_PROGRESS)
        throw new Error(`Line ${remaining[0]?.line} could not be imported.`);
      outcomes.push(...pass.outcomes);
      remaining = pass.later;
    }
    return outcomes;
  }

  /** Imports the lines in one transaction. After a conflict with a concurrent change, imports each line in a separate transaction. */
  private async pass(candidates: readonly Candidate[], transact: Transact, onOnlyCreates: OnOnlyCreates): Promise<Pass> {
    try {
      return await transact((ctx) => this.importTogether(ctx, candidates, onOnlyCreates));
    } catch (error) {
      const isDomainError = error instanceof DomainError;
      if (!isDomainError && !isTakenConcurrently(error)) throw error;
      const [single, ...others] = candidates;
      // The retry of a single line matches the user that the concurrent request created.
      if (single && others.length === 0)
        return isDomainError ? { outcomes: [failed(single.line, error)], later: [] } : { outcomes: [], later: [single] };
    }
    const outcomes: LineOutcome[] = [];
    for (const candidate of candidates) outcomes.push(...(await this.run([candidate], transact, onOnlyCreates)));
    return { outcomes, later: [] };
  }

  private async importTogether(
    ctx: RequestContext,
    candidates: readonly Candidate[],
    onOnlyCreates: OnOnlyCreates,
  ): Promise<Pass> {
    const organization = organizationOf(ctx);
    const matched = await this.lockMatches(ctx, organization.tenantId, candidates);
    assertNotImpersonated(
      ctx,
      matched.map(({ id }) => id),
    );
    onOnlyCreates(matched.length === 0);
    const matches = new Matches(matched);
    const { now, later } = splitByMatchedUser(candidates, matches);
    const plan = await this.planning.plan(ctx, now, matches);
    const conflicting = await this.writer.create(ctx, organization, plan.created);
    await this.writer.change(ctx, organization, plan.changed);
    const written: LineOutcome[] = [
      ...plan.created
        .filter(({ candidate }) => !conflicting.has(candidate))
        .map(({ candidate, user }) => ({ line: candidate.line, status: 'created' as const, id: user.id })),
      ...plan.changed.map(({ line, user }) => ({ line, status: 'updated' as const, id: user.id })),
    ];
    return { outcomes: [...plan.outcomes, ...written], later: sortedByLine([...later, ...conflicting]) };
  }

  private lockMatches(ctx: RequestContext, tenantId: string, candidates: readonly Candidate[]): Promise<User[]> {
    const externalIds = candidates.map(({ request }) => request.externalId).filter((id) => id !== undefined);
    const emailKeys = candidates.map(({ request }) => emailKey(request.email));
    return this.users.lockByEmailOrExternalId(ctx, tenantId, emailKeys, externalIds);
  }
}

const isTakenConcurrently = (error: unknown): boolean =>
  error instanceof AccountTaken ||
  isUniqueViolation(error, 'users_email_key') ||
  isUniqueViolation(error, 'users_external_id_key');

const sortedByLine = (candidates: readonly Candidate[]): Candidate[] => [...candidates].sort((a, b) => a.line - b.line);
