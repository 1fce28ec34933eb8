import { Injectable } from '@nestjs/common';
import { DomainError, type OrganizationScope, type RequestContext } from '#platform/common';
import { lockKey } from '#platform/database';
import { EffectiveSettingsService } from '../effective-settings.service.js';
import { SettingsPreviewQuery } from '../settings/settings-preview.query.js';
import { resolveTree } from '../settings/settings-tree.js';
import { SsoProvidersQuery } from './sso-providers.query.js';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'name' | 'ancestorIds'>;

/** `ssoRequired` would apply to an organization whose users have no identity provider: 409. */
export class SsoProviderMissing extends DomainError {
  readonly code = 'sso_provider_missing';
  readonly kind = 'conflict';
  constructor({ id, name }: Pick<OrganizationRef, 'id' | 'name'>) {
    super(
      `The setting "ssoRequired" would apply to the organization "${name}" (${id}), but neither this organization nor an ancestor has an enabled identity provider that is trusted for an email domain. Add such an identity provider first.`,
    );
  }
}

/** The setting `ssoRequired` needs the identity provider: 409. */
export class IdentityProviderRequired extends DomainError {
  readonly code = 'identity_provider_required';
  readonly kind = 'conflict';
  constructor({ id, name }: Pick<OrganizationRef, 'id' | 'name'>) {
    super(
      `The setting "ssoRequired" applies to the organization "${name}" (${id}), and its users can sign in with no other identity provider. Add another identity provider that is trusted for an email domain, or turn off "ssoRequired" first.`,
    );
  }
}

/** Ensures that organizations with the setting `ssoRequired` have an identity provider with which their users can sign in. */
@Injectable()
export class SsoProviderRulesService {
  constructor(
    private readonly ssoProviders: SsoProvidersQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly previewQuery: SettingsPreviewQuery,
  ) {}

  /** Locks the settings `ssoRequired` and the identity providers of a tenant, so that concurrent changes can't miss each other. */
  async lock(ctx: RequestContext, tenantId: string): Promise<void> {
    await lockKey(ctx, 'sso-providers', tenantId);
  }

  /** Asserts that each of the organizations, to which `ssoRequired` applies, has a provider. @throws SsoProviderMissing (409) */
  async assertProviders(ctx: RequestContext, tenantId: string, organizations: readonly OrganizationRef[]): Promise<void> {
    const missing = await this.findWithoutProvider(ctx, tenantId, organizations);
    if (missing) throw new SsoProviderMissing(missing);
  }

  /**
   * Asserts that the users of the organization and its descendants can still sign in, after a change of its identity providers in the
   * transaction.
   * @throws IdentityProviderRequired (409)
   */
  async assertProvidersRemain(ctx: RequestContext, organization: OrganizationScope): Promise<void> {
    const { tenantId, id, ancestorIds } = organization;
    const organizationIds = await this.ssoProviders.listOrganizationIds(ctx, tenantId);
    if ([...ancestorIds, id].some((each) => organizationIds.has(each))) return;
    const tree = await this.previewQuery.listSubtree(ctx, organization);
    const settings = resolveTree(await this.effectiveSettings.ancestorLayers(ctx, organization), tree);
    const required = tree.filter((node) => settings.get(node.id)?.values.ssoRequired);
    const missing = required.find((node) => !hasProvider(node, organizationIds));
    if (missing) throw new IdentityProviderRequired(missing);
  }

  private async findWithoutProvider(
    ctx: RequestContext,
    tenantId: string,
    organizations: readonly OrganizationRef[],
  ): Promise<OrganizationRef | undefined> {
    if (organizations.length === 0) return undefined;
    const organizationIds = await this.ssoProviders.listOrganizationIds(ctx, tenantId);
    return organizations.find((organization) => !hasProvider(organization, organizationIds));
  }
}

const hasProvider = (
  { id, ancestorIds }: Pick<OrganizationRef, 'id' | 'ancestorIds'>,
  organizationIds: ReadonlySet<string>,
): boolean => [...ancestorIds, id].some((each) => organizationIds.has(each));
