import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/common';
import { SecretSealer, SecretUnreadable } from '#platform/crypto';
import type { ClientDescription } from './client-description.js';

/** How long a client can register before its first use. */
const UNUSED_SECONDS = 3_600;
/** The longest `client_id` that a registration returns. The id is in the address of each authorization request. */
const ID_MAX_LENGTH = 2_000;

const PREFIX = 'dcr_';
const CONTEXT = 'oauth_clients|registration';
const MANAGEMENT_CONTEXT = 'oauth_clients|registration_access_token';

interface SealedRegistration {
  readonly n: string;
  readonly r: readonly string[];
  /** The address for logout tokens, and whether they name the session. Absent without one, and in registrations of earlier releases. */
  readonly l?: string;
  readonly s?: true;
  readonly t: number;
}

/**
 * The `client_id` of a client that registers itself contains what it says, encrypted, so that a registration stores nothing. The client is
 * stored when a user allows its first access; without one, the id expires.
 */
@Injectable()
export class SealedRegistrationsService {
  constructor(
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /** Returns a new `client_id`, or undefined if the description is too long for one. */
  seal({
    name,
    redirectUris,
    backchannelLogoutUri,
    backchannelLogoutSessionRequired,
  }: ClientDescription): { clientId: string; issuedAt: number } | undefined {
    const issuedAt = Math.floor(this.clock.now().getTime() / 1_000);
    const content: SealedRegistration = {
      n: name,
      r: redirectUris,
      t: issuedAt,
      ...(backchannelLogoutUri === null ? {} : { l: backchannelLogoutUri }),
      ...(backchannelLogoutSessionRequired ? { s: true } : {}),
    };
    const clientId = PREFIX + this.sealer.seal(JSON.stringify(content), CONTEXT);
    return clientId.length > ID_MAX_LENGTH ? undefined : { clientId, issuedAt };
  }

  /** Returns what a `client_id` contains, unless it has expired or was not issued by this service. */
  open(clientId: string): (ClientDescription & { readonly issuedAt: number }) | undefined {
    if (!isSealedRegistration(clientId)) return undefined;
    const content = this.read(clientId.slice(PREFIX.length), CONTEXT);
    if (content === undefined) return undefined;
    const { n, r, t, l = null, s = false } = JSON.parse(content) as SealedRegistration;
    if (t + UNUSED_SECONDS <= this.clock.now().getTime() / 1_000) return undefined;
    return {
      name: n,
      redirectUris: r,
      backchannelLogoutUri: l,
      backchannelLogoutSessionRequired: s,
      authentication: 'none',
      jwks: null,
      jwksUri: null,
      issuedAt: t,
    };
  }

  /** Returns the token with which the client manages its registration (RFC 7592). */
  managementToken(clientId: string): string {
    return this.sealer.seal(clientId, MANAGEMENT_CONTEXT);
  }

  isManagementToken(clientId: string, token: string): boolean {
    return this.read(token, MANAGEMENT_CONTEXT) === clientId;
  }

  private read(sealed: string, context: string): string | undefined {
    try {
      return this.sealer.open(sealed, context);
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  }
}

export const isSealedRegistration = (clientId: string): boolean =>
  clientId.startsWith(PREFIX) && clientId.length <= ID_MAX_LENGTH;
