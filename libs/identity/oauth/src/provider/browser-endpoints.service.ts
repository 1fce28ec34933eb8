import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { SessionCookie, type ServiceRequest } from '#platform/http';
import {
  type ActiveSession,
  actorOf,
  callerOf,
  OwnSessionsService,
  requestSessionOf,
  SessionCallersService,
  SigningKeysService,
} from '#identity/session-access';
import express, { type Request, type Response } from 'express';
import { compactVerify, createLocalJWKSet } from 'jose';
import type { KnownClient } from '../clients/oauth-client.query.js';
import { InteractionNotFound } from '../interactions/interaction-errors.js';
import { InteractionPagesService, needsFreshProof } from '../interactions/interaction-pages.service.js';
import { InteractionsService } from '../interactions/interactions.service.js';
import { OAuthAdapterService } from './oauth-adapter.service.js';
import { OAuthPagesService, type OAuthProblem } from './oauth-pages.service.js';
import { isUsable, loginOf } from './session-payload.js';

/** Paths that browsers navigate to. Only these use the session. */
const BROWSER_PATHS = /^\/oauth\/(?:authorize(?:\/[\w-]+)?|logout|interactions\/[\w-]+)$/;
const INTERACTION_PATH = /^\/oauth\/interactions\/([\w-]+)$/;

/** OpenID Connect allows POST where applications send browsers. */
const FORM_PATHS = /^\/oauth\/(?:authorize|logout)$/;
const readForm = express.text({ type: 'application/x-www-form-urlencoded', limit: '64kb' });

export const isBrowserPath = (path: string): boolean => BROWSER_PATHS.test(path);

type Parameters = Readonly<Record<string, string | undefined>>;

/** What a sign-out leads to: an error, a question to the user, or an address after the end of the session. */
type LogoutOutcome =
  | { readonly kind: 'problem'; readonly problem: OAuthProblem }
  | { readonly kind: 'ask'; readonly address: string }
  | { readonly kind: 'done'; readonly address: string; readonly endedSession: boolean };

interface Hint {
  readonly clientId: string;
  readonly userId: string;
}

/**
 * What browsers request and the library does not handle: the way back from the pages, the sign-out, and the way to the session cookie. Its
 * only caller, `OAuthEndpointsService`, would have 14 dependencies with it.
 */
@Injectable()
export class BrowserEndpointsService {
  constructor(
    private readonly interactions: InteractionsService,
    private readonly interactionPages: InteractionPagesService,
    private readonly pages: OAuthPagesService,
    private readonly adapter: OAuthAdapterService,
    private readonly signingKeys: SigningKeysService,
    private readonly ownSessions: OwnSessionsService,
    private readonly sessionCallers: SessionCallersService,
    private readonly cookie: SessionCookie,
    private readonly config: AppConfig,
  ) {}

  /** Returns the session of the cookie, which only requests of browsers use. Users sign in at applications themselves: impersonators can't. */
  async findSession(request: Request): Promise<ActiveSession | null> {
    const token = isBrowserPath(request.path) ? this.cookie.tokenOf(request) : undefined;
    const session = token === undefined ? null : await this.sessionCallers.find(token);
    return session?.impersonator ? null : session;
  }

  /** Responds if the browser comes from a page of another site, and so did not send the session cookie. Returns whether it did. */
  respondToOtherSite(request: Request, response: Response): boolean {
    const { headers, method, path, originalUrl } = request;
    const isFromOtherSite =
      headers['sec-fetch-site'] === 'cross-site' &&
      headers['sec-fetch-mode'] === 'navigate' &&
      headers['sec-fetch-dest'] === 'document';
    if (method !== 'GET' || !isBrowserPath(path) || !isFromOtherSite) return false;
    this.pages.sendSameAddress(request, response, originalUrl);
    return true;
  }

  /**
   * Continues a form with GET, because browsers don't send the session cookie with a form of another site. Returns whether it did.
   */
  async redirectForm(request: Request, response: Response): Promise<boolean> {
    const { method, path } = request;
    if (method !== 'POST' || !FORM_PATHS.test(path)) return false;
    const failure = await new Promise<unknown>((resolve) => readForm(request, response, resolve));
    if (!failure && typeof request.body === 'string') response.redirect(303, `${path}?${new URLSearchParams(request.body)}`);
    else {
      const problem = { error: 'invalid_request', error_description: 'the body must be a form of at most 64 kB' };
      this.pages.sendError(request as ServiceRequest, response, problem);
    }
    return true;
  }

  /** Returns whether the path is one that the library does not handle. */
  async respond(request: ServiceRequest, response: Response, session: ActiveSession | null): Promise<boolean> {
    const interaction = INTERACTION_PATH.exec(request.path)?.[1];
    if (interaction !== undefined) await this.continueInteraction(request, response, interaction, session);
    else if (request.path === '/oauth/logout') await this.logout(request, response, session);
    else return false;
    return true;
  }

  /** Continues an authorization request after a sign-in, or asks its question. */
  private async continueInteraction(
    request: ServiceRequest,
    response: Response,
    id: string,
    session: ActiveSession | null,
  ): Promise<void> {
    try {
      this.interactionPages.assertOwn(request, id);
      const { interaction, client } = await this.interactions.find(request.context, id);
      const { name } = interaction.prompt;
      const asksForSignIn = name === 'login' || name === 'create';
      const isProven = session !== null && isUsable(session);
      const isFresh = session !== null && session.session.authenticatedAt.getTime() >= interaction.iat * 1_000;
      if (isProven && !asksForSignIn && interaction.session?.accountId !== session.session.userId)
        return response.redirect(303, await this.interactions.startAnew(request.context, interaction, session));
      if (!asksForSignIn || !isProven || (!isFresh && (name === 'create' || needsFreshProof(interaction))))
        return response.redirect(303, this.interactionPages.page(interaction, client));
      const result = { login: loginOf(session), ...(name === 'create' ? { create: {} } : {}) };
      response.redirect(303, await this.interactions.answer(request.context, interaction, result));
    } catch (error) {
      if (!(error instanceof InteractionNotFound)) throw error;
      const problem = { error: 'invalid_request', error_description: error.message };
      this.pages.sendError(request, response, problem);
    }
  }

  private async logout(request: ServiceRequest, response: Response, session: ActiveSession | null): Promise<void> {
    const parameters = Object.fromEntries(new URL(request.originalUrl, 'http://localhost').searchParams);
    const outcome = await this.signOut(request.context, parameters, session);
    if (outcome.kind === 'problem') return this.pages.sendError(request, response, outcome.problem);
    if (outcome.kind === 'done' && outcome.endedSession) this.cookie.clear(request, response);
    response.redirect(303, outcome.address);
  }

  /**
   * Signs a user out at the request of an application (OpenID Connect RP-Initiated Logout 1.0). Ends the session at once if the application
   * proves with an ID token that it signed this user in; asks the user otherwise. Leads only to registered addresses.
   */
  private async signOut(ctx: RequestContext, parameters: Parameters, active: ActiveSession | null): Promise<LogoutOutcome> {
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
