import { Injectable } from '@nestjs/common';
import { DomainError, hasPermission, organizationOf, ownPermissionsAt, type RequestContext } from '#platform/common';
import { type LinkableProvider, SignInProvidersService } from '#directory/organizations';
import type { UserIdentity } from '../federation/user-identity.entity.js';
import { UserIdentityRepository } from '../federation/user-identity.repository.js';
import type { User } from '../user.entity.js';
import { invalidField, LineProblem } from './import-errors.js';
import type { Candidate } from './import-plan.js';

/** An account at an identity provider that a line links to its user. */
export type NewIdentity = Pick<UserIdentity, 'identityProviderId' | 'issuer' | 'externalId' | 'provider'>;

/** Accounts at identity providers, as in the changes of events. */
export type LinkedAccounts = readonly Pick<UserIdentity, 'provider' | 'externalId'>[];

export interface LineIdentities {
  readonly added: readonly NewIdentity[];
  /** The accounts that the user already has. */
  readonly existing: LinkedAccounts;
}

/** Returns the accounts that a line links to a new or existing user. @throws LineProblem */
export type FindIdentities = (candidate: Candidate, user: User | undefined) => LineIdentities;

/** Finds the accounts at identity providers that the lines of an import link to users. */
@Injectable()
export class ImportedIdentitiesService {
  constructor(
    private readonly providers: SignInProvidersService,
    private readonly identities: UserIdentityRepository,
  ) {}

  /** Reads what the lines need. `userIds` are the existing users of the lines. */
  async prepare(ctx: RequestContext, candidates: readonly Candidate[], userIds: readonly string[]): Promise<FindIdentities> {
    const requested = candidates.flatMap(({ request }) => request.identities ?? []);
    if (requested.length === 0) return () => ({ added: [], existing: [] });
    const organization = organizationOf(ctx);
    const providers = await this.providers.listLinkable(ctx, organization);
    const subjects = [...new Set(requested.map(({ subject }) => subject))];
    const taken = await this.identities.listByAccounts(
      ctx,
      organization.tenantId,
      providers.map(({ id }) => id),
      subjects,
    );
    const ownerIds = new Map(taken.map((identity) => [accountKey(identity), identity.userId]));
    const ofUsers = userIds.length === 0 ? [] : await this.identities.listOfUsers(ctx, organization.tenantId, userIds);
    return ({ request }, user) => {
      const added = new Map<string, NewIdentity>();
      for (const [index, { identityProvider, subject }] of (request.identities ?? []).entries()) {
        const { id, issuer, name } = providerOf(ctx, providers, identityProvider, `/identities/${index}/identityProvider`);
        const identity = { identityProviderId: id, issuer, externalId: subject, provider: name };
        const ownerId = ownerIds.get(accountKey(identity));
        if (ownerId === undefined) added.set(accountKey(identity), identity);
        else if (ownerId !== user?.id) throw identityTaken(`/identities/${index}/subject`);
      }
      const existing = ofUsers
        .filter(({ userId }) => userId === user?.id)
        .map(({ provider, externalId }) => ({ provider, externalId }));
      return { added: [...added.values()], existing };
    };
  }
}

const accountKey = ({ identityProviderId, issuer, externalId }: Omit<NewIdentity, 'provider'>): string =>
  JSON.stringify([identityProviderId, issuer, externalId]);

/** @throws LineProblem (identity_provider_not_found, forbidden) */
function providerOf(
  ctx: RequestContext,
  providers: readonly LinkableProvider[],
  reference: string,
  pointer: string,
): LinkableProvider {
  const provider = providers.find(({ id, name }) => id === reference || name === reference);
  if (!provider) {
    const message = `"${reference}" is not the id or name of an identity provider of this organization or one of its ancestors.`;
    throw invalidField(pointer, 'identity_provider_not_found', message);
  }
  if (!hasPermission(ownPermissionsAt(ctx.caller, provider.organization), 'users:write'))
    throw new LineProblem(new ProviderOfAncestor(provider.name), pointer);
  return provider;
}

const identityTaken = (pointer: string): DomainError =>
  invalidField(pointer, 'identity_taken', 'Another user is linked to this account at the identity provider.');

/** Who links accounts decides who signs in as whom in the whole tree of the identity provider. */
class ProviderOfAncestor extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor(name: string) {
    super(
      `The identity provider "${name}" belongs to an ancestor organization. Linking its accounts requires the permission "users:write" there.`,
    );
  }
}
