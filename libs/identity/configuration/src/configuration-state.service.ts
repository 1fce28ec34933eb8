import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  callerFor,
  hasPermission,
  NotWhileImpersonating,
  organizationOf,
  type OrganizationScope,
  type RequestContext,
  type ServicePermission,
} from '#platform/common';
import {
  ConfigurationHandlers,
  type ConfigurationSection,
  configurationSections,
  type OrganizationConfiguration,
  type StoredItem,
} from '#platform/configuration-sections';
import {
  type ConfiguredOrganization,
  OrganizationsConfigurationService,
  OrganizationScopeQuery,
  SessionRequirementsQuery,
} from '#directory/organizations';
import { Forbidden } from '#identity/auth';
import { ConfigurationTooLarge } from './configuration-errors.js';
import { type ConfigurationDocument, ORGANIZATIONS_MAX } from './configuration.requests.js';

/** An organization with its configuration as it is. */
export interface StoredOrganization extends ConfiguredOrganization {
  readonly scope: OrganizationScope;
  /** The items of the sections that were read. */
  readonly items: ReadonlyMap<string, readonly StoredItem[]>;
}

/** Returns the context of a single request to an organization, with the permissions of the caller there. */
export const contextAt = (
  ctx: RequestContext,
  organization: OrganizationScope,
  permission: ServicePermission,
): RequestContext => {
  // The version of the header belongs to no single resource.
  const { ifMatch: _, ...rest } = ctx;
  return { ...rest, organization, caller: callerFor(ctx.caller, permission, organization) };
};

/** Returns a hash of a configuration. */
export const stateOf = (organizations: readonly StoredOrganization[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(organizations.map(({ id, slug, parentId, fields, items }) => [id, slug, parentId, fields, [...items]])),
    )
    .digest('base64url');

/** Reads the configuration of the organization in the request and its descendants. */
@Injectable()
export class ConfigurationStateService {
  constructor(
    private readonly handlers: ConfigurationHandlers,
    private readonly organizations: OrganizationsConfigurationService,
    private readonly scopes: OrganizationScopeQuery,
    private readonly sessionRequirements: SessionRequirementsQuery,
  ) {}

  /**
   * Returns the organization and its descendants, parents first, with the items of the sections.
   * @throws Forbidden (403) if the caller can't read a section, or the session does not satisfy the rules of a descendant
   * @throws NotWhileImpersonating (403), ConfigurationTooLarge (422)
   */
  async read(
    ctx: RequestContext,
    sections: readonly ConfigurationSection[] = configurationSections(),
  ): Promise<StoredOrganization[]> {
    // The configuration has parts that impersonators can't change, such as OAuth clients and webhooks.
    if (ctx.session?.impersonator) throw new NotWhileImpersonating();
    assertCanRead(ctx, sections);
    const organizations = await this.organizations.listTree(ctx);
    if (organizations.length > ORGANIZATIONS_MAX) throw new ConfigurationTooLarge();
    const ids = organizations.map(({ id }) => id);
    const scopes = await this.scopes.listByIds(ctx, organizationOf(ctx).tenantId, ids);
    await this.sessionRequirements.assertMet(ctx, scopes);
    const byId = new Map(scopes.map((scope) => [scope.id, scope]));
    const stored: StoredOrganization[] = [];
    for (const organization of organizations) {
      const scope = byId.get(organization.id);
      if (scope) stored.push({ ...organization, scope, items: await this.readItems(ctx, scope, sections) });
    }
    return stored;
  }

  /** Returns an organization that was read before as it is now, with the same sections. */
  async readOrganization(ctx: RequestContext, { scope, items }: StoredOrganization): Promise<StoredOrganization | undefined> {
    const [scopeNow] = await this.scopes.listByIds(ctx, scope.tenantId, [scope.id]);
    const organization = await this.organizations.find(contextAt(ctx, scope, 'organizations:read'));
    if (!scopeNow || !organization) return undefined;
    const sections = configurationSections().filter(({ name }) => items.has(name));
    return { ...organization, scope: scopeNow, items: await this.readItems(ctx, scope, sections) };
  }

  private async readItems(
    ctx: RequestContext,
    scope: OrganizationScope,
    sections: readonly ConfigurationSection[],
  ): Promise<ReadonlyMap<string, readonly StoredItem[]>> {
    const items = new Map<string, readonly StoredItem[]>();
    for (const section of sections)
      items.set(section.name, await this.handlers.of(section).list(contextAt(ctx, scope, section.permissions.read)));
    return items;
  }

  /** Returns the configuration as a document. */
  async export(ctx: RequestContext): Promise<ConfigurationDocument> {
    const organizations = await this.read(ctx);
    const slugs = new Map(organizations.map(({ id, slug }) => [id, slug]));
    const shown = organizations.map(({ slug, parentId, fields, items }): OrganizationConfiguration => {
      const parent = parentId === null ? undefined : slugs.get(parentId);
      const sections = [...items].map(([name, stored]) => [name, stored.map(({ values }) => values)]);
      return { slug, ...(parent === undefined ? {} : { parent }), ...fields, ...Object.fromEntries(sections) };
    });
    return { version: 1, organizations: shown };
  }
}

/** @throws Forbidden (403) with the names of the missing permissions */
function assertCanRead(ctx: RequestContext, sections: readonly ConfigurationSection[]): void {
  const organization = organizationOf(ctx);
  const missing = sections
    .map(({ permissions }) => permissions.read)
    .filter((permission) => !hasPermission(callerFor(ctx.caller, permission, organization).permissions, permission));
  if (missing.length === 0) return;
  throw new Forbidden(`This operation also requires these permissions: ${missing.join(', ')}. The caller does not have them.`);
}
