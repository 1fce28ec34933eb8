import type { Changes, OrganizationScope, RequestContext, ServicePermission } from '#platform/common';
import type { AffectedCount } from '#platform/configuration-sections';
import type { PreviewedOrganization } from '#directory/organizations';

/** What identifies an item of a document. */
export interface ConfigurationItem {
  /** The slug of the organization in the document. */
  readonly organization: string;
  readonly section: string;
  readonly name: string;
}

/** What a change concerns. */
export interface ConfigurationEffects {
  readonly affected?: readonly AffectedCount[];
  readonly settings?: readonly PreviewedOrganization[];
}

/** One change, which a single request could also make. */
export interface ConfigurationStep extends ConfigurationItem {
  readonly action: 'create' | 'update' | 'delete';
  readonly changes: Changes;
  /** JSON Pointer to the item in the request. Empty for a deletion. */
  readonly pointer: string;
  readonly permission: ServicePermission;
  /** The slug of the organization whose context `run` gets: of the parent if the step creates the organization. */
  readonly at: string;
  /** Checks what needs the network, outside the transaction. @throws DomainError */
  check?(ctx: RequestContext): Promise<void>;
  findEffects?(ctx: RequestContext): Promise<ConfigurationEffects>;
  /** Makes the change. Returns the organization if the step creates it. @throws DomainError */
  run(ctx: RequestContext): Promise<OrganizationScope | undefined>;
}

/** The name of the section for the fields of an organization. */
export const ORGANIZATION_SECTION = 'organization';
