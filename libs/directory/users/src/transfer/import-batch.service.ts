import { Injectable } from '@nestjs/common';
import {
  changesBetween,
  DomainError,
  emailKey,
  type FieldProblem,
  InvalidRequest,
  organizationOf,
  type RequestContext,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { isUniqueViolation } from '#platform/database';
import { HigherPrivileges, PrivilegeCheckService } from '#directory/memberships';
import { EffectiveSettingsService, type OrganizationSettings } from '#directory/organizations';
import type { VisibleRole } from '#directory/roles';
import { UserAccess } from '../user-access.js';
import { applyFields, assertDomainAllowed, changesIdentity, newUser } from '../user-values.js';
import { userData } from '../user-data.js';
import type { User } from '../user.entity.js';
import { UserRepository } from '../user.repository.js';
import { type Candidate, failed, type LineOutcome, Matches, pointerOf, splitByTouch } from './import-plan.js';
import { type ChangedUser, type CreatedUser, ImportWriterService } from './import-writer.service.js';
import { ImportedRolesService } from './imported-roles.service.js';

/** Lines whose address or external id somebody else takes again and again while they are imported. */
const MAX_FRUITLESS_PASSES = 5;

interface Pass {
  readonly outcomes: readonly LineOutcome[];
  readonly later: readonly Candidate[];
}

interface Planned {
  readonly created: CreatedUser[];
  readonly changed: ChangedUser[];
  readonly outcomes: LineOutcome[];
}

/** Called with each transaction's finding; the first one counts. */
type Teller = (onlyCreates: boolean) => void;

/** A batch that is being imported. */
export interface RunningBatch {
  /** Known early: whether all its lines make users, so that it changes nobody whom lines of another batch could mean. */
  readonly onlyCreates: Promise<boolean>;
  readonly outcomes: Promise<LineOutcome[]>;
}

/** Imports a batch of lines: together in one transaction as far as they don't touch one another. */
@Injectable()
export class ImportBatchService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UserRepository,
    private readonly writer: ImportWriterService,
    private readonly roles: ImportedRolesService,
    private readonly access: UserAccess,
    private readonly privileges: PrivilegeCheckService,
    private readonly settings: EffectiveSettingsService,
  ) {}

  /** The outcome of every line, in any order; a line that fails fails alone. */
  start(ctx: RequestContext, candidates: readonly Candidate[]): RunningBatch {
    let tell: Teller = () => undefined;
    const onlyCreates = new Promise<boolean>((resolve) => (tell = resolve));
    const outcomes = this.run(ctx, candidates, tell).finally(() => tell(false));
    return { onlyCreates, outcomes };
  }

  private async run(ctx: RequestContext, candidates: readonly Candidate[], tell: Teller): Promise<LineOutcome[]> {
    const outcomes: LineOutcome[] = [];
    let fruitless = 0;
    for (let waiting = candidates; waiting.length > 0;) {
      const pass = await this.pass(ctx, waiting, tell);
      fruitless = pass.outcomes.length > 0 ? 0 : fruitless + 1;
      if (fruitless > MAX_FRUITLESS_PASSES) throw new Error(`Line ${waiting[0]!.line} could not be imported.`);
      outcomes.push(...pass.outcomes);
      waiting = pass.later;
    }
    return outcomes;
  }

  /** One transaction. When a line makes it fail, because another writer was quicker, each line gets one of its own. */
  private async pass(ctx: RequestContext, candidates: readonly Candidate[], tell: Teller): Promise<Pass> {
    try {
      return await this.work.run(ctx, (ctx) => this.together(ctx, candidates, tell));
    } catch (error) {
      if (!(error instanceof DomainError) && !isTakenMeanwhile(error)) throw error;
      const [only, ...others] = candidates;
      // Tried again from the start, it meets who was quicker.
      if (others.length === 0)
        return error instanceof DomainError
          ? { outcomes: [failed(only!.line, error)], later: [] }
          : { outcomes: [], later: [only!] };
    }
    const outcomes: LineOutcome[] = [];
    for (const candidate of candidates) outcomes.push(...(await this.run(ctx, [candidate], tell)));
    return { outcomes, later: [] };
  }

  private async together(ctx: RequestContext, candidates: readonly Candidate[], tell: Teller): Promise<Pass> {
    const organization = organizationOf(ctx);
    const matched = await this.lockMatches(ctx, organization.tenantId, candidates);
    tell(matched.length === 0);
    const matches = new Matches(matched);
    const { now, later } = splitByTouch(candidates, matches);
    const planned = await this.plan(ctx, now, matches);
    const taken = await this.writer.create(ctx, organization, planned.created);
    await this.writer.change(ctx, organization, planned.changed);
    const written: LineOutcome[] = [
      ...planned.created
        .filter(({ candidate }) => !taken.has(candidate))
        .map(({ candidate, user }) => ({ line: candidate.line, status: 'created' as const, id: user.id })),
      ...planned.changed.map(({ line, user }) => ({ line, status: 'updated' as const, id: user.id })),
    ];
    return { outcomes: [...planned.outcomes, ...written], later: inOrder([...later, ...taken]) };
  }

  private lockMatches(ctx: RequestContext, tenantId: string, candidates: readonly Candidate[]): Promise<User[]> {
    const externalIds = candidates.map(({ request }) => request.externalId).filter((id) => id !== undefined);
    const emailKeys = candidates.map(({ request }) => emailKey(request.email));
    return this.users.lockByEmailOrExternalId(ctx, tenantId, emailKeys, externalIds);
  }

  /** Decides about each line, and writes nothing. */
  private async plan(ctx: RequestContext, candidates: readonly Candidate[], matches: Matches): Promise<Planned> {
    const organization = organizationOf(ctx);
    const { values: settings } = await this.settings.get(ctx, organization);
    const references = candidates.flatMap(({ request }) => request.roles ?? []);
    const found = await this.roles.lock(ctx, organization, [...references, settings.defaultRole]);
    const strangers = await this.writer.refusals(ctx, organization, candidates, matches);
    const beyond = await this.privileges.findSignInBeyond(ctx, organization.tenantId, matches.userIds);
    const planned: Planned = { created: [], changed: [], outcomes: [] };
    const now = this.work.now();
    for (const candidate of candidates) {
      try {
        const stranger = strangers.get(candidate);
        if (stranger) throw stranger;
        const user = matches.meantBy(candidate.request);
        if (user) this.planChange(ctx, planned, candidate, { user, settings, isBeyondCaller: beyond.has(user.id) });
        else this.planCreation(ctx, planned, candidate, { found, settings, now });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        planned.outcomes.push(failed(candidate.line, error, pointerOf(error)));
      }
    }
    return planned;
  }

  private planCreation(
    ctx: RequestContext,
    planned: Planned,
    candidate: Candidate,
    { found, settings, now }: { found: Map<string, VisibleRole>; settings: OrganizationSettings; now: Date },
  ): void {
    const { request } = candidate;
    assertDomainAllowed(request.email, settings);
    const roles = this.roles.chosen(ctx, found, request.roles, settings.defaultRole);
    const user = newUser(organizationOf(ctx), request, now);
    if (request.passwordHash === undefined) user.status = request.status ?? 'pending';
    else {
      if (request.status === 'pending') throw new InvalidRequest([PENDING_WITH_PASSWORD]);
      user.status = 'active';
      // When it was really set, nobody knows: it counts as old as the account here.
      user.lastPasswordChangeAt = user.createdAt;
    }
    user.emailVerified = request.emailVerified ?? false;
    planned.created.push({ candidate, user, roles });
  }

  private planChange(
    ctx: RequestContext,
    planned: Planned,
    { line, request }: Candidate,
    { user, settings, isBeyondCaller }: { user: User; settings: OrganizationSettings; isBeyondCaller: boolean },
  ): void {
    if (changesIdentity(user, request)) {
      this.access.assertNotOwnSignIn(ctx, user);
      if (isBeyondCaller) throw new HigherPrivileges();
    }
    const before = userData(user);
    const previousEmail = user.email;
    const moves = emailKey(request.email) !== user.emailKey;
    if (moves) {
      assertDomainAllowed(request.email, settings);
      user.emailVerified = false;
    }
    applyFields(user, request);
    if (request.emailVerified) user.emailVerified = true;
    const changes = changesBetween(before, userData(user));
    if (Object.keys(changes).length === 0) {
      planned.outcomes.push({ line, status: 'unchanged', id: user.id });
      return;
    }
    planned.changed.push({ line, user, changes, ...(moves ? { previousEmail } : {}) });
  }
}

const PENDING_WITH_PASSWORD: FieldProblem = {
  pointer: '/status',
  in: 'body',
  code: 'invalid_combination',
  message:
    "A user with a passwordHash can't be pending, because a pending user sets the password with the invitation. Omit status or passwordHash.",
};

const isTakenMeanwhile = (error: unknown): boolean =>
  isUniqueViolation(error, 'users_email_key') || isUniqueViolation(error, 'users_external_id_key');

const inOrder = (candidates: readonly Candidate[]): Candidate[] => [...candidates].sort((a, b) => a.line - b.line);
