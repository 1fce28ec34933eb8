import { Injectable } from '@nestjs/common';
import { type DomainError, organizationOf, type RequestContext } from '#platform/common';
import type { OrganizationSettings } from '#directory/organizations';
import type { VisibleRole } from '#directory/roles';
import type { User } from '../user.entity.js';
import { invalidField } from './import-errors.js';
import type { Candidate } from './import-plan.js';
import type { ImportUserRequest } from './import.requests.js';
import { ImportedFactorsPort, type LineFactors, methodsOf } from './imported-factors.js';
import { ImportedIdentitiesService, type LineIdentities } from './imported-identities.service.js';
import { ImportedMembershipsService, type NewMembership } from './imported-memberships.service.js';
import { ImportedRolesService, type LineRoles } from './imported-roles.service.js';

/** What a line adds to a new or existing user, besides fields. */
export interface LineAccess {
  readonly identities: LineIdentities;
  readonly memberships: readonly NewMembership[];
}

export const addsAccess = ({ identities, memberships }: LineAccess): boolean =>
  identities.added.length > 0 || memberships.length > 0;

/** The access that the lines of one transaction give. All methods throw DomainErrors that fail the line. */
export interface PreparedAccess {
  /** Returns what the line adds. `user` is undefined if the line creates a user. */
  readonly accessOf: (candidate: Candidate, user: User | undefined) => LineAccess;
  /** Returns the roles of a new user in the organization of the import. */
  readonly rolesOf: (request: ImportUserRequest) => LineRoles;
  /** Returns the methods of the MFA factors of a new user. */
  readonly mfaMethodsOf: (candidate: Candidate) => string[];
}

/** Finds the roles, memberships and linked accounts of the lines of an import. */
@Injectable()
export class ImportAccessService {
  constructor(
    private readonly roles: ImportedRolesService,
    private readonly memberships: ImportedMembershipsService,
    private readonly identities: ImportedIdentitiesService,
    private readonly factors: ImportedFactorsPort,
  ) {}

  /** Reads and locks what the lines need. `userIds` are the existing users of the lines. */
  async prepare(
    ctx: RequestContext,
    candidates: readonly Candidate[],
    userIds: readonly string[],
    { defaultRole, mfaMethods }: Pick<OrganizationSettings, 'defaultRole' | 'mfaMethods'>,
  ): Promise<PreparedAccess> {
    const organization = organizationOf(ctx);
    const references = candidates.flatMap(({ request }) => request.roles ?? []);
    const locked = await this.roles.lock(ctx, organization, [...references, defaultRole]);
    const membershipsOf = await this.memberships.prepare(ctx, candidates, userIds);
    const identitiesOf = await this.identities.prepare(ctx, candidates, userIds);
    const withFactors = candidates.filter(({ request }) => methodsOf(request).length > 0);
    const problems = await this.findFactorProblems(ctx, withFactors);
    return {
      accessOf: (candidate, user) => ({
        identities: identitiesOf(candidate, user),
        memberships: membershipsOf(candidate, user),
      }),
      rolesOf: ({ roles }) => this.rolesOf(ctx, locked, roles, defaultRole),
      mfaMethodsOf: (candidate) => {
        const problem = problems.get(candidate);
        if (problem) throw problem;
        return allowedMethodsOf(candidate.request, mfaMethods);
      },
    };
  }

  private async findFactorProblems(
    ctx: RequestContext,
    candidates: readonly Candidate[],
  ): Promise<ReadonlyMap<Candidate, DomainError | undefined>> {
    if (candidates.length === 0) return new Map();
    const requests = candidates.map(({ request }) => request);
    const problems = await this.factors.handler.findProblems(ctx, organizationOf(ctx).tenantId, requests);
    return new Map(candidates.map((candidate, index) => [candidate, problems[index]]));
  }

  private rolesOf(
    ctx: RequestContext,
    locked: ReadonlyMap<string, VisibleRole>,
    references: readonly string[] | undefined,
    defaultRole: string,
  ): LineRoles {
    const [first, ...others] = (references ?? []).map((reference, index) => ({ reference, pointer: `/roles/${index}` }));
    return this.roles.rolesOf(ctx, organizationOf(ctx), locked, [first ?? { reference: defaultRole }, ...others]);
  }
}

/** @throws LineProblem (mfa_method_not_allowed) for a factor that the organization does not allow */
function allowedMethodsOf(factors: LineFactors, allowed: readonly string[]): string[] {
  const methods = methodsOf(factors);
  const refused = methods.find((method) => !allowed.includes(method));
  if (refused === undefined) return methods;
  const message = `The setting mfaMethods does not allow "${refused}". Allow it, or leave out the factor.`;
  throw invalidField(refused === 'totp' ? '/totpSecret' : '/passkeys', 'mfa_method_not_allowed', message);
}
