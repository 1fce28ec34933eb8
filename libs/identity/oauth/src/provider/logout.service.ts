import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import {
  type ActiveSession,
  actorOf,
  callerOf,
  OwnSessionsService,
  requestSessionOf,
  SigningKeysService,
} from '#identity/session-access';
import { compactVerify, createLocalJWKSet } from 'jose';
import type { KnownClient } from '../clients/oauth-client.query.js';
import { OAuthAdapterService } from './oauth-adapter.service.js';
import type { OAuthProblem } from './oauth-pages.service.js';

type Parameters = Readonly<Record<string, string | undefined>>;

/** What a sign-out leads to: an error, a question to the user, or an address after the end of the session. */
export type LogoutOutcome =
  | { readonly kind: 'problem'; readonly problem: OAuthProblem }
  | { readonly kind: 'ask'; readonly address: string }
  | { readonly kind: 'done'; readonly address: string; readonly endedSession: boolean };

interface Hint {
  readonly clientId: string;
  readonly userId: string;
}

/**
 * Signs a user out at the request of an application (OpenID Connect RP-Initiated Logout 1.0). Ends the session at once if the application
 * proves with an ID token that it signed this user in; asks the user otherwise. Leads only to registered addresses.
 */
@Injectable()
export class LogoutService {
  constructor(
    private readonly adapter: OAuthAdapterService,
    private readonly signingKeys: SigningKeysService,
    private readonly ownSessions: OwnSessionsService,
    private readonly config: AppConfig,
  ) {}

  async logout(ctx: RequestContext, parameters: Parameters, active: ActiveSession | null): Promise<LogoutOutcome> {
    const { id_token_hint: token, client_id: clientId, post_logout_redirect_uri: uri, state } = parameters;
    const hint = token === undefined ? undefined : await this.readHint(token);
    if (token !== undefined && !hint) return invalid('the id_token_hint is not a valid ID token of this service');
    if (hint && clientId !== undefined && hint.clientId !== clientId)
      return invalid('client_id and id_token_hint name different clients');
    const client = await this.findClient(hint?.clientId ?? clientId);
    if (uri !== undefined && !client?.postLogoutRedirectUris.includes(uri))
      return invalid(
        'post_logout_redirect_uri is not registered for the client; id_token_hint or client_id must name the client',
      );
    const address = uri === undefined ? `${this.config.baseUrl}/account/sign-in` : withState(uri, state);
    if (!active) return { kind: 'done', address, endedSession: false };
    if (hint?.userId !== active.session.userId) return { kind: 'ask', address: this.question(client, uri, state) };
    await this.ownSessions.signOut({
      ...ctx,
      caller: callerOf(active),
      actor: actorOf(active),
      session: requestSessionOf(active),
    });
    return { kind: 'done', address, endedSession: true };
  }

  private findClient(id: string | undefined): Promise<KnownClient | undefined> {
    return id === undefined ? Promise.resolve(undefined) : this.adapter.findClient(id);
  }

  /** Expired ID tokens are accepted, because applications keep them only for this purpose. */
  private async readHint(token: string): Promise<Hint | undefined> {
    try {
      const keys = createLocalJWKSet({ keys: await this.signingKeys.listPublicKeys() });
      const { payload, protectedHeader } = await compactVerify(token, keys);
      const claims = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
      const { iss, aud, sub } = claims;
      const isIdToken = protectedHeader.typ !== 'at+jwt' && iss === this.config.baseUrl;
      return isIdToken && typeof aud === 'string' && typeof sub === 'string' ? { clientId: aud, userId: sub } : undefined;
    } catch {
      return undefined;
    }
  }

  private question(client: KnownClient | undefined, uri: string | undefined, state: string | undefined): string {
    const entries = Object.entries({ client: client?.id, redirect: uri, state }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return `${this.config.baseUrl}/account/sign-out?${new URLSearchParams(entries)}`;
  }
}

const invalid = (description: string): LogoutOutcome => ({
  kind: 'problem',
  problem: { error: 'invalid_request', error_description: description },
});

function withState(uri: string, state: string | undefined): string {
  if (state === undefined) return uri;
  const url = new URL(uri);
  url.searchParams.set('state', state);
  return url.href;
}
