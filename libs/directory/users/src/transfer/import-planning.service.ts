import { Injectable } from '@nestjs/common';
import {
  type Changes,
  DomainError,
  emailKey,
  type FieldProblem,
  InvalidRequest,
  organizationOf,
  type RequestContext,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { EffectiveSettingsService, type OrganizationSettings } from '#directory/organizations';
import type { SignInAuthorization } from '#directory/privileges';
import { UserAccessService } from '../user-access.service.js';
import { assertDomainAllowed, changesIdentity, changesProvisioned, newUser } from '../user-values.js';
import type { User } from '../user.entity.js';
import { UserIdentifiersService } from '../user-identifiers.service.js';
import { ForeignUsersService, outcomeOfForeign } from './foreign-users.service.js';
import { addsAccess, ImportAccessService, type LineAccess, type PreparedAccess } from './import-access.service.js';
import { applyLine, type Candidate, failed, type LineOutcome, type Matches, pointerOf } from './import-plan.js';
import type { ChangedUser, CreatedUser } from './import-writer.service.js';

/** The users that lines create and change, and the outcomes of lines that fail or change nothing. */
export interface ImportPlan {
  readonly created: CreatedUser[];
  readonly changed: ChangedUser[];
  readonly outcomes: LineOutcome[];
}

/** Decides whether each line of an import creates a user, changes a user or fails. Writes nothing. */
@Injectable()
export class ImportPlanningService {
  constructor(
    private readonly lineAccess: ImportAccessService,
    private readonly access: UserAccessService,
    private readonly foreignUsers: ForeignUsersService,
    private readonly settings: EffectiveSettingsService,
    private readonly identifiers: UserIdentifiersService,
    private readonly work: UnitOfWork,
  ) {}

  /** Returns the plan of the lines. `matches` are the users that the lines match. The caller must have locked these users. */
  async plan(ctx: RequestContext, candidates: readonly Candidate[], matches: Matches): Promise<ImportPlan> {
    const organization = organizationOf(ctx);
    const { values: settings } = await this.settings.get(ctx, organization);
    const foreignUsers = await this.foreignUsers.find(ctx, candidates, matches);
    const userIds = [...new Set([...matches.userIds, ...[...foreignUsers.values()].map(({ user }) => user.id)])];
    const prepared = await this.lineAccess.prepare(ctx, candidates, userIds, settings);
    const requests = candidates.map(({ request }) => request);
    const authorizeIdentifiers = await this.identifiers.authorizerFor(ctx, organization.tenantId, requests, matches.userIds);
    const plan: ImportPlan = { created: [], changed: [], outcomes: [] };
    const now = this.work.now();
    for (const candidate of candidates) {
      try {
        if (candidate.request.status === 'deleted') {
          plan.outcomes.push({ line: candidate.line, status: 'unchanged' });
          continue;
        }
        const foreign = foreignUsers.get(candidate);
        if (foreign) {
          plan.outcomes.push(outcomeOfForeign(candidate, foreign, prepared.accessOf));
          continue;
        }
        const user = matches.updatedBy(candidate.request);
        if (user && changesProvisioned(user, candidate.request)) await this.access.assertNotProvisioned(ctx, user);
        const lineAccess = prepared.accessOf(candidate, user);
        const change = { ...candidate.request, linksIdentity: lineAccess.identities.added.length > 0 };
        const signIn = authorizeIdentifiers(user, change);
        if (!user) this.planCreation(ctx, plan, candidate, { prepared, lineAccess, settings, now });
        else {
          if (changesIdentity(user, change)) this.access.assertNotOwnSignIn(ctx, user);
          planChange(plan, candidate, { user, lineAccess, settings, signIn });
        }
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        plan.outcomes.push(failed(candidate.line, error, pointerOf(error)));
      }
    }
    return plan;
  }

  private planCreation(
    ctx: RequestContext,
    plan: ImportPlan,
    candidate: Candidate,
    {
      prepared,
      lineAccess,
      settings,
      now,
    }: { prepared: PreparedAccess; lineAccess: LineAccess; settings: OrganizationSettings; now: Date },
  ): void {
    const { request } = candidate;
    assertDomainAllowed(request.email, settings);
    const roleGrant = prepared.rolesOf(request);
    const user = newUser(organizationOf(ctx), request, now);
    user.mfaMethods = prepared.mfaMethodsOf(candidate);
    user.mfaEnabled = user.mfaMethods.length > 0;
    if (request.status === 'pending' && (request.passwordHash !== undefined || user.mfaEnabled))
      throw new InvalidRequest([PENDING_WITH_CREDENTIAL]);
    // Uses the time of creation, because the file has no time of the password change.
    if (request.passwordHash !== undefined) user.lastPasswordChangeAt = user.createdAt;
    const canSignIn =
      request.passwordHash !== undefined || user.mfaMethods.includes('passkey') || lineAccess.identities.added.length > 0;
    user.status = request.status ?? (canSignIn ? 'active' : 'pending');
    if (user.status === 'suspended') {
      user.suspendedAt = user.createdAt;
      user.suspendedReason = request.suspendedReason ?? '';
    }
    user.emailVerified = request.emailVerified ?? false;
    user.phoneVerified = request.phoneVerified === true && request.phoneNumber !== undefined;
    plan.created.push({ candidate, user, ...roleGrant, access: lineAccess });
  }
}

interface PlannedChange {
  readonly user: User;
  readonly lineAccess: LineAccess;
  readonly settings: OrganizationSettings;
  readonly signIn: SignInAuthorization;
}

function planChange(plan: ImportPlan, { line, request }: Candidate, { user, lineAccess, settings, signIn }: PlannedChange): void {
  const previousEmail = user.email;
  const isNewEmail = emailKey(request.email) !== user.emailKey;
  if (isNewEmail) assertDomainAllowed(request.email, settings);
  const changes = { ...applyLine(user, request), ...linkedAccountsChange(lineAccess) };
  if (Object.keys(changes).length === 0 && !addsAccess(lineAccess)) {
    plan.outcomes.push({ line, status: 'unchanged', id: user.id });
    return;
  }
  plan.changed.push({ line, user, changes, signIn, access: lineAccess, ...(isNewEmail ? { previousEmail } : {}) });
}

/** Returns the change of the linked accounts as `user.updated` contains it. */
function linkedAccountsChange({ identities: { added, existing } }: LineAccess): Changes {
  if (added.length === 0) return {};
  const linked = added.map(({ provider, externalId }) => ({ provider, externalId }));
  return { identityProviders: { from: existing, to: [...existing, ...linked] } };
}

const PENDING_WITH_CREDENTIAL: FieldProblem = {
  pointer: '/status',
  in: 'body',
  code: 'invalid_combination',
  message:
    "A user with a passwordHash, totpSecret or passkeys can't be pending, because a pending user sets the password with the invitation. Omit status or these fields.",
};
