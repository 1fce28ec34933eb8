import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { type LossAuthorization, PrivilegesService } from '#directory/privileges';
import { SessionRequirementsQuery } from './session-requirements.query.js';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>;
type Root = Pick<OrganizationScope, 'id' | 'tenantId'>;

export interface ReferencedRole {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

type RoleResolver = (
  ctx: RequestContext,
  organization: OrganizationRef,
  reference: string,
) => Promise<ReferencedRole | undefined>;

/** The port through which the roles library registers the lookup of roles. The roles library imports this library. */
@Injectable()
export class RoleLookup {
  private resolver?: RoleResolver;

  register(resolver: RoleResolver): void {
    this.resolver = resolver;
  }

  /** Returns the visible role with this id or name, and prevents the deletion of the role until the transaction ends. */
  async find(ctx: RequestContext, organization: OrganizationRef, reference: string): Promise<ReferencedRole | undefined> {
    if (!this.resolver) throw new Error('No library has registered a role lookup.');
    return this.resolver(ctx, organization, reference);
  }
}

/**
 * A handler of the suspension, deletion, restoration and purge of organizations. Each method runs once for all organizations, in the transaction of the
 * change.
 */
export interface OrganizationLifecycleHandler {
  /** Runs before the users of the organizations lose the use of their accounts. Can reject it. */
  beforeLoss?(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void>;
  /** Runs after a suspension or its end. */
  onStatusChanged?(ctx: RequestContext): void;
  /** Runs after a deletion. The organizations can be restored. */
  onDeleted?(ctx: RequestContext, tenantId: string, organizationIds: readonly string[], loss: LossAuthorization): Promise<void>;
  onRestored?(ctx: RequestContext, tenantId: string, organizationIds: readonly string[], loss: LossAuthorization): Promise<void>;
  /** Runs before a permanent deletion. Must delete all rows that refer to the organizations. */
  onPurged?(ctx: RequestContext, tenantId: string, organizationIds: readonly string[], loss: LossAuthorization): Promise<void>;
}

/** The port through which higher libraries register their lifecycle handlers. */
@Injectable()
export class OrganizationLifecycleHandlers {
  private readonly handlers: OrganizationLifecycleHandler[] = [];

  constructor(
    private readonly privileges: PrivilegesService,
    private readonly sessionRequirements: SessionRequirementsQuery,
  ) {}

  register(handler: OrganizationLifecycleHandler): void {
    this.handlers.push(handler);
  }

  /**
   * The users whom an organization and descendants (`ids`) manage lose the use of their accounts. The session must satisfy the rules of the
   * descendants, as if it addressed them.
   * @throws HigherPrivilegesOutside, AffectedOrganizationInaccessible (403), LastOwner (409)
   */
  async authorizeLoss(ctx: RequestContext, organization: Root, ids: readonly string[]): Promise<LossAuthorization> {
    const { tenantId } = organization;
    const loss = await this.authorizeReturn(ctx, organization, ids);
    for (const handler of this.handlers) await handler.beforeLoss?.(ctx, tenantId, ids);
    return loss;
  }

  /** Same as `authorizeLoss` for users who get back the use of their accounts. @throws HigherPrivilegesOutside, AffectedOrganizationInaccessible (403) */
  async authorizeReturn(ctx: RequestContext, organization: Root, ids: readonly string[]): Promise<LossAuthorization> {
    await this.sessionRequirements.assertMetAmong(ctx, organization, ids);
    return this.privileges.authorizeLossOfUsersOf(ctx, organization.tenantId, ids);
  }

  onStatusChanged(ctx: RequestContext): void {
    for (const handler of this.handlers) handler.onStatusChanged?.(ctx);
  }

  async onDeleted(ctx: RequestContext, tenantId: string, ids: readonly string[], loss: LossAuthorization): Promise<void> {
    for (const handler of this.handlers) await handler.onDeleted?.(ctx, tenantId, ids, loss);
  }

  async onRestored(ctx: RequestContext, tenantId: string, ids: readonly string[], loss: LossAuthorization): Promise<void> {
    for (const handler of this.handlers) await handler.onRestored?.(ctx, tenantId, ids, loss);
  }

  async onPurged(ctx: RequestContext, tenantId: string, ids: readonly string[], loss: LossAuthorization): Promise<void> {
    for (const handler of this.handlers) await handler.onPurged?.(ctx, tenantId, ids, loss);
  }
}

export interface MailRecipient {
  readonly email: string;
  readonly locale: string | null;
}

type OwnerFinder = (ctx: RequestContext, organization: OrganizationRef) => Promise<MailRecipient[]>;

/** The port through which the memberships library registers the lookup of owners. Owners get emails about the organization. */
@Injectable()
export class OwnerAddresses {
  private finder?: OwnerFinder;

  register(finder: OwnerFinder): void {
    this.finder = finder;
  }

  /** Returns the owners of the organization or, without owners, of the nearest ancestor with an owner. */
  async find(ctx: RequestContext, organization: OrganizationRef): Promise<MailRecipient[]> {
    return (await this.finder?.(ctx, organization)) ?? [];
  }
}
