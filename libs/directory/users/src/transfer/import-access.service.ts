import { Injectable } from '@nestjs/common';
import { organizationOf, type RequestContext } from '#platform/common';
import type { VisibleRole } from '#directory/roles';
import type { User } from '../user.entity.js';
import type { Candidate } from './import-plan.js';
import type { ImportUserRequest } from './import.requests.js';
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
}

/** Finds the roles, memberships and linked accounts of the lines of an import. */
@Injectable()
export class ImportAccessService {
  constructor(
    private readonly roles: ImportedRolesService,
    private readonly memberships: ImportedMembershipsService,
    private readonly identities: ImportedIdentitiesService,
  ) {}

  /** Reads and locks what the lines need. `userIds` are the existing users of the lines. */
  async prepare(
    ctx: RequestContext,
    candidates: readonly Candidate[],
    userIds: readonly string[],
    defaultRole: string,
  ): Promise<PreparedAccess> {
    const organization = organizationOf(ctx);
    const references = candidates.flatMap(({ request }) => request.roles ?? []);
    const locked = await this.roles.lock(ctx, organization, [...references, defaultRole]);
    const membershipsOf = await this.memberships.prepare(ctx, candidates, userIds);
    const identitiesOf = await this.identities.prepare(ctx, candidates, userIds);
    return {
      accessOf: (candidate, user) => ({
        identities: identitiesOf(candidate, user),
        memberships: membershipsOf(candidate, user),
      }),
      rolesOf: ({ roles }) => this.rolesOf(ctx, locked, roles, defaultRole),
    };
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
