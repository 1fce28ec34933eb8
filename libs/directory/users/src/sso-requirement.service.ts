import { Injectable } from '@nestjs/common';
import { DomainError, type OrganizationScope, type RequestContext } from '#platform/common';
import { UserGrantsQuery } from '#directory/memberships';
import { EffectiveSettingsService, type OrganizationSettings, SignInProvidersService } from '#directory/organizations';
import type { UserKey } from '#directory/sessions';
import { UserActivationService, type UserWithOrganization } from './user-activation.service.js';

/** Whether a user can sign in only with an identity provider. Owners are `excepted`, so that a failing provider can't lock out everyone. */
export type SsoRequirement = 'none' | 'required' | 'excepted';

/** Description of the error response of operations with passwords and passkeys. */
export const SSO_REQUIRED = 'The organization of the user requires sign-in with an identity provider (`sso_required`).';

/** The user can sign in only with an identity provider: 403. */
export class SsoRequired extends DomainError {
  readonly code = 'sso_required';
  readonly kind = 'forbidden';
  constructor({ name, slug }: Pick<OrganizationScope, 'name' | 'slug'>, providers: readonly { readonly name: string }[]) {
    const choices = providers.map((provider) => `"${provider.name}"`).join(' or ');
    super(
      `The organization "${name}" requires sign-in with an identity provider, so passwords and passkeys can't be used or added. ${
        choices === ''
          ? 'Ask an owner of the organization to enable an identity provider.'
          : `Sign in with ${choices} on the sign-in page of "${slug}", or start with POST /v1/auth/oidc/start.`
      }`,
    );
  }
}

/** Decides whether `ssoRequired` of the organization that manages a user applies to the user. */
@Injectable()
export class SsoRequirementService {
  constructor(
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly userGrants: UserGrantsQuery,
    private readonly signInProviders: SignInProvidersService,
    private readonly userActivation: UserActivationService,
  ) {}

  async get(ctx: RequestContext, owner: UserWithOrganization): Promise<SsoRequirement> {
    return this.getFor(ctx, owner, (await this.effectiveSettings.get(ctx, owner.managingOrganization)).values);
  }

  /** Returns the requirement for the effective settings of the managing organization. */
  async getFor(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    { ssoRequired }: Pick<OrganizationSettings, 'ssoRequired'>,
  ): Promise<SsoRequirement> {
    if (!ssoRequired) return 'none';
    const path = [...managingOrganization.ancestorIds, managingOrganization.id];
    return (await this.userGrants.isOwner(ctx, user, path)) ? 'excepted' : 'required';
  }

  /** Returns whether the existing user with this key can sign in only with an identity provider. */
  async isRequired(ctx: RequestContext, key: UserKey): Promise<boolean> {
    const owner = await this.userActivation.find(ctx, key);
    return owner !== null && (await this.get(ctx, owner)) === 'required';
  }

  /** Asserts that the user can use and set passwords and passkeys. @throws SsoRequired (403) */
  async assertNotRequired(ctx: RequestContext, owner: UserWithOrganization): Promise<void> {
    if ((await this.get(ctx, owner)) === 'required') throw await this.error(ctx, owner.managingOrganization);
  }

  /** Asserts that new users of the organization can have a password. @throws SsoRequired (403) */
  async assertNotRequiredIn(ctx: RequestContext, organization: OrganizationScope): Promise<void> {
    const { ssoRequired } = (await this.effectiveSettings.get(ctx, organization)).values;
    if (ssoRequired) throw await this.error(ctx, organization);
  }

  /** Returns the error that names the identity providers of the organization. */
  async error(ctx: RequestContext, organization: OrganizationScope): Promise<SsoRequired> {
    return new SsoRequired(organization, await this.signInProviders.listChoices(ctx, organization));
  }
}
