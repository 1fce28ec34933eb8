import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type AuthenticatedCaller,
  type CredentialAuthenticator,
  CredentialAuthenticators,
  Unauthenticated,
} from '#identity/auth';
import { OpenedSetupLinksService } from './opened-setup-links.service.js';
import { permissionsOf } from './setup-step-permissions.js';

/** Distinguishes tokens of setup links from API keys and session tokens, which contain no dot. */
export const SETUP_TOKEN_PREFIX = 'setup.';

/** Authenticates setup links, whose page sends the token of the link with each request. */
@Injectable()
export class SetupLinkAuthenticator implements CredentialAuthenticator, OnModuleInit {
  readonly transports = ['bearer'] as const;

  constructor(
    private readonly openedSetupLinks: OpenedSetupLinksService,
    private readonly authenticators: CredentialAuthenticators,
  ) {}

  onModuleInit(): void {
    this.authenticators.register(this);
  }

  async authenticate(token: string): Promise<AuthenticatedCaller | null> {
    if (!token.startsWith(SETUP_TOKEN_PREFIX)) return null;
    const link = await this.openedSetupLinks.find(token);
    if (!link) throw new Unauthenticated('This setup link has expired or was revoked. Ask for a new link.');
    const { id, tenantId, organization, steps, suspended, ownerTenantId, ownerId } = link;
    return {
      caller: {
        kind: 'setup_link',
        id,
        tenantId,
        tenantIds: [tenantId],
        organizationIds: [organization.id],
        permissions: permissionsOf(steps),
        setupSteps: steps,
        suspended,
        // The creator also owns what is set up, for example webhooks.
        ...(ownerTenantId && ownerId ? { owner: { tenantId: ownerTenantId, id: ownerId } } : {}),
      },
      actor: { type: 'setup_link', id },
    };
  }
}
