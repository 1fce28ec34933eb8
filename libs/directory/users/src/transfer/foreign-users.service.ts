import { Injectable } from '@nestjs/common';
import { organizationOf, type RequestContext } from '#platform/common';
import { MembershipRepository } from '#directory/memberships';
import { ManagedElsewhere } from '../user-errors.js';
import { User } from '../user.entity.js';
import { UsersQuery } from '../users.query.js';
import { addsAccess, type PreparedAccess } from './import-access.service.js';
import { applyLine, type Candidate, type LineOutcome, type Matches, takenBy } from './import-plan.js';

/** A user whom another organization manages. */
export interface ForeignUser {
  readonly user: User;
  /** Whether the user is in the directory of the addressed organization. */
  readonly isListed: boolean;
}

/** Finds the lines of an import about users whom another organization manages. Exports contain such users, too. */
@Injectable()
export class ForeignUsersService {
  constructor(
    private readonly users: UsersQuery,
    private readonly memberships: MembershipRepository,
  ) {}

  /** Returns the lines with these users. A guest, who belongs to another tenant, is found by the `id` of the line. */
  async find(ctx: RequestContext, candidates: readonly Candidate[], matches: Matches): Promise<Map<Candidate, ForeignUser>> {
    const organization = organizationOf(ctx);
    const isForeign = (user: User | undefined): user is User => user !== undefined && user.organizationId !== organization.id;
    const ids = candidates.flatMap(({ id }) => id ?? []);
    const listed = ids.length === 0 ? new Map<string, User>() : await this.users.mapById(ctx, organization, ids);
    const found = candidates.flatMap((candidate) => {
      const byId = candidate.id === undefined ? undefined : listed.get(candidate.id);
      const user = [byId, ...matches.matchedBy(candidate.request)].find(isForeign);
      return user ? [{ candidate, user, isListed: user === byId }] : [];
    });
    const unlistedIds = found.filter(({ isListed }) => !isListed).map(({ user }) => user.id);
    const members = unlistedIds.length === 0 ? undefined : await this.memberships.mapByUser(ctx, organization, unlistedIds);
    return new Map(
      found.map(({ candidate, user, isListed }) => [candidate, { user, isListed: isListed || (members?.has(user.id) ?? false) }]),
    );
  }
}

/**
 * Returns the outcome of a line that changes nothing. Only the managing organization can change the user.
 * @throws ManagedElsewhere (403); for a user who is not in the directory EmailTaken, ExternalIdTaken (409)
 */
export function outcomeOfForeign(
  candidate: Candidate,
  { user, isListed }: ForeignUser,
  accessOf: PreparedAccess['accessOf'],
): LineOutcome {
  const { line, request } = candidate;
  if (!isListed) throw takenBy(user, request);
  const changes = applyLine(Object.assign(new User(), user), request);
  if (Object.keys(changes).length > 0 || addsAccess(accessOf(candidate, user))) throw new ManagedElsewhere();
  return { line, status: 'unchanged', id: user.id };
}
