import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { MembershipChangesService, type NewMember } from '#directory/memberships';
import type { GainAuthorization, SignInAuthorization } from '#directory/privileges';
import { UserIdentityRepository } from '../federation/user-identity.repository.js';
import type { User } from '../user.entity.js';
import type { LineAccess } from './import-access.service.js';
import type { Candidate } from './import-plan.js';
import type { ImportUserRequest } from './import.requests.js';
import { ImportedFactorsPort, type LineFactors } from './imported-factors.js';
import { ImportedPasswords } from './imported-passwords.js';

interface UserWithAccess {
  readonly user: User;
  readonly access: LineAccess;
}

interface MembersOfOrganization {
  readonly organization: OrganizationScope;
  readonly gain: GainAuthorization;
  readonly members: NewMember[];
}

/** Writes passwords, linked accounts and memberships of imported users, and publishes the events of memberships. */
@Injectable()
export class ImportAccessWriterService {
  constructor(
    private readonly passwords: ImportedPasswords,
    private readonly factors: ImportedFactorsPort,
    private readonly identities: UserIdentityRepository,
    private readonly members: MembershipChangesService,
    private readonly work: UnitOfWork,
  ) {}

  /** Stores the credentials of new users, and publishes the events of their factors. */
  async writeCredentials(
    ctx: RequestContext,
    organization: OrganizationScope,
    created: readonly { readonly user: User; readonly candidate: Candidate }[],
    signIn: SignInAuthorization,
  ): Promise<void> {
    const passwords = created.flatMap(({ user, candidate: { request } }) =>
      request.passwordHash === undefined ? [] : [{ userId: user.id, hash: request.passwordHash }],
    );
    const at = this.work.now();
    await this.passwords.store(ctx, organization.tenantId, passwords, at, signIn);
    const withFactors = created
      .filter(({ user }) => user.mfaEnabled)
      .map(({ user, candidate: { request } }) => ({ userId: user.id, mfaMethods: user.mfaMethods, ...factorsOf(request) }));
    if (withFactors.length === 0) return;
    await this.factors.handler.store(ctx, organization.tenantId, withFactors, at, signIn);
    const events = withFactors.flatMap(({ userId, mfaMethods }) =>
      mfaMethods.map((method) => ({ data: { userId, method, mfaMethods }, userId })),
    );
    await this.work.publishAll(ctx, 'user.mfa_enabled', organization, events);
  }

  /** Writes the linked accounts and memberships of new or locked users. Each line is authorized. */
  async write(ctx: RequestContext, users: readonly UserWithAccess[], signIn: SignInAuthorization): Promise<void> {
    const createdAt = this.work.now();
    const identities = users.flatMap(({ user: { tenantId, id: userId }, access }) =>
      access.identities.added.map((identity) => ({ ...identity, tenantId, userId, createdAt })),
    );
    this.identities.insertAllDeferred(ctx, identities, signIn);
    for (const { organization, members, gain } of byOrganization(users))
      await this.members.addAll(ctx, organization, members, gain);
  }
}

/** Returns the factors of a line. The secret is in the form of this service. */
const factorsOf = ({ totpSecret, passkeys }: ImportUserRequest): LineFactors => ({
  totpSecret: totpSecret?.replaceAll(/[ =]/g, '').toUpperCase(),
  passkeys,
});

/** Returns the memberships of users by organization. The authorization of one line stands for all. */
function byOrganization(users: readonly UserWithAccess[]): MembersOfOrganization[] {
  const found = new Map<string, MembersOfOrganization>();
  for (const { user, access } of users)
    for (const { organization, roles, gain } of access.memberships) {
      const ofOrganization = found.get(organization.id) ?? { organization, gain, members: [] };
      ofOrganization.members.push({ user, roles });
      found.set(organization.id, ofOrganization);
    }
  return [...found.values()];
}
