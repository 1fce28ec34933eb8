import { Injectable } from '@nestjs/common';
import { assertRecentlyAuthenticated, PLATFORM_TENANT, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { UnitOfWork } from '#platform/events';
import { type GainAuthorization, type LossAuthorization, PrivilegesService, unneeded } from '#directory/privileges';
import { PlatformKeyNeeded } from './oauth-client-errors.js';
import { permissionsOf, type OAuthClient } from './oauth-client.entity.js';
import type { Home } from './oauth-client.repository.js';

type Powers = Pick<OAuthClient, 'resourceScopes' | 'consent'>;

/**
 * Decides who can manage a client. Whoever changes a client or gets its secret can act with its scopes, so the caller needs all of them.
 * Only platform keys manage the clients of the platform.
 */
@Injectable()
export class ClientPowerService {
  constructor(
    private readonly privileges: PrivilegesService,
    private readonly work: UnitOfWork,
    private readonly config: AppConfig,
  ) {}

  /** Returns where the clients of the request belong: the organization of the path, or the platform. @throws PlatformKeyNeeded (403) */
  homeOf({ organization, caller }: RequestContext): Home {
    if (organization) return { tenantId: organization.tenantId, organizationId: organization.id };
    if (caller.kind !== 'platform') throw new PlatformKeyNeeded();
    return { tenantId: PLATFORM_TENANT, organizationId: null };
  }

  /** @throws GrantBeyondOwn, AllPermissionsRequired (403), ReauthenticationRequired (401) */
  authorizeGain(ctx: RequestContext, client: Powers): GainAuthorization {
    const { organization } = ctx;
    if (!organization) return unneeded<'gain'>('platform_client');
    assertRecentlyAuthenticated(ctx, this.work.now());
    if (client.consent === 'skipped')
      this.privileges.authorizePolicies(ctx, [{ organization, setting: 'consent', needsAll: true }]);
    return this.privileges.authorizePermissions(
      ctx,
      organization,
      'The OAuth client',
      permissionsOf(client.resourceScopes, this.ownApi),
    );
  }

  /** @throws GrantBeyondOwn (403) */
  authorizeLoss(ctx: RequestContext, client: Powers): LossAuthorization {
    if (!ctx.organization) return unneeded<'loss'>('platform_client');
    return this.privileges.authorizeRevocation(
      ctx,
      ctx.organization,
      'The OAuth client',
      permissionsOf(client.resourceScopes, this.ownApi),
    );
  }

  /** Clients lose scopes of a resource, or get them back. @throws GrantBeyondOwn (403) */
  authorizeScopes(ctx: RequestContext, scopes: readonly string[]): void {
    if (ctx.organization) this.privileges.authorizeRevocation(ctx, ctx.organization, 'A client of the OAuth resource', scopes);
  }

  /** The identifier of this service's own API, which is a resource, too. */
  get ownApi(): string {
    return this.config.baseUrl;
  }
}
