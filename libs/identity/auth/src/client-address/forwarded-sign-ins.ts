import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { SignInField } from '#platform/http';
import { OrganizationScopeQuery } from '#directory/organizations';
import { OneTimeTokenService } from '#directory/sessions';

/** The organization of a sign-in, with its ancestors. */
export interface SignInOrganization {
  readonly id: string;
  readonly ancestorIds: readonly string[];
}

interface OrganizationKey {
  readonly tenantId: string;
  readonly organizationId: string;
}

/** Returns the organization of a token, also of a used or expired token that events can be about. Returns null for an unknown token. */
type FindOrganization = (ctx: RequestContext, token: string) => Promise<OrganizationKey | null>;

/**
 * Finds the organization of a sign-in in the field of a request. Libraries register how they find the organization of their tokens when
 * their module starts.
 */
@Injectable()
export class ForwardedSignIns {
  private readonly tokens = new Map<SignInField, FindOrganization>();

  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    oneTimeTokens: OneTimeTokenService,
  ) {
    this.register('token', (ctx, token) => oneTimeTokens.find(ctx, token));
  }

  register(field: Exclude<SignInField, 'organization' | 'none'>, find: FindOrganization): void {
    this.tokens.set(field, find);
  }

  /** Returns the organization, null for a nonexistent organization, or undefined for an unknown token. */
  async find(ctx: RequestContext, field: SignInField, value: string): Promise<SignInOrganization | null | undefined> {
    if (field === 'organization') return value.includes('\0') ? null : this.organizationScopes.findScope(ctx, value);
    const findOrganization = this.tokens.get(field);
    if (!findOrganization) throw new Error(`No library finds the organization of the field "${field}".`);
    const key = await findOrganization(ctx, value);
    if (!key) return undefined;
    const { tenantId, organizationId: id } = key;
    // The user of a token can belong to another organization than the deleted one. Only the root organization certainly covers both.
    return (await this.organizationScopes.findById(ctx, { tenantId, id })) ?? { id: tenantId, ancestorIds: [] };
  }
}
