import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { hashToken, randomToken, SecretSealer } from '#platform/crypto';
import type { SignInProvider } from '#directory/organizations';
import type { ResponseChecks } from '../provider/code-exchange.service.js';
import type { OidcSignIn } from './oidc-sign-in.entity.js';
import { OidcSignInQuery } from './oidc-sign-in.query.js';
import { OidcSignInRepository } from './oidc-sign-in.repository.js';

const LIFETIME_MS = 10 * 60_000;

type StoredState = ResponseChecks & {
  readonly returnTo?: string;
};

export interface IssuedState {
  readonly checks: ResponseChecks;
  /** The secret of the client that starts the sign-in. */
  readonly bindingToken: string;
  readonly expiresAt: Date;
}

export interface ConsumedState {
  readonly organizationId: string;
  readonly identityProviderId: string;
  readonly checks: ResponseChecks;
  readonly returnTo?: string;
}

/** Issues and consumes the state, nonce and PKCE verifier of pending sign-ins. Each has 256 random bits and works once, within ten minutes. */
@Injectable()
export class OidcStatesService {
  constructor(
    private readonly oidcSignIns: OidcSignInRepository,
    private readonly oidcSignInQuery: OidcSignInQuery,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  async issue(
    ctx: RequestContext,
    { tenantId, id: identityProviderId }: SignInProvider,
    organizationId: string,
    returnTo: string | undefined,
  ): Promise<IssuedState> {
    const checks = { state: randomToken(), nonce: randomToken(), codeVerifier: randomToken() };
    const bindingToken = randomToken();
    const expiresAt = new Date(this.clock.now().getTime() + LIFETIME_MS);
    const stored: StoredState = { ...checks, ...(returnTo === undefined ? {} : { returnTo }) };
    await this.oidcSignIns.insert(ctx, {
      stateHash: hashToken(checks.state),
      tenantId,
      organizationId,
      identityProviderId,
      bindingHash: hashToken(bindingToken),
      checksSealed: this.sealer.seal(JSON.stringify(stored), sealingContext(checks.state)),
      expiresAt,
    });
    return { checks, bindingToken, expiresAt };
  }

  /** Returns the organization of a pending sign-in, or null if the state doesn't exist. */
  async findOrganization(ctx: RequestContext, state: string): Promise<Pick<OidcSignIn, 'tenantId' | 'organizationId'> | null> {
    return this.oidcSignIns.find(ctx, hashToken(state));
  }

  /**
   * Deletes and returns the state. Only one of several concurrent calls succeeds. Returns null if the state doesn't exist, is expired, or
   * was issued to another client.
   */
  async consume(ctx: RequestContext, state: string, bindingToken: string): Promise<ConsumedState | null> {
    const signIn = await this.oidcSignInQuery.consume(ctx, hashToken(state), hashToken(bindingToken), this.clock.now());
    if (!signIn) return null;
    const { organizationId, identityProviderId, checksSealed } = signIn;
    const { returnTo, ...checks } = JSON.parse(this.sealer.open(checksSealed, sealingContext(state))) as StoredState;
    return { organizationId, identityProviderId, checks, ...(returnTo === undefined ? {} : { returnTo }) };
  }
}

const sealingContext = (state: string): string => `oidc_sign_ins|checks|${hashToken(state).toString('hex')}`;
