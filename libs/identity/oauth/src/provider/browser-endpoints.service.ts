import { Injectable } from '@nestjs/common';
import { SessionCookie, type ServiceRequest } from '#platform/http';
import { type ActiveSession, SessionCallersService } from '#identity/session-access';
import express, { type Request, type Response } from 'express';
import { InteractionNotFound } from '../interactions/interaction-errors.js';
import { InteractionPagesService, needsFreshProof } from '../interactions/interaction-pages.service.js';
import { InteractionsService } from '../interactions/interactions.service.js';
import { LogoutService } from './logout.service.js';
import { OAuthPagesService } from './oauth-pages.service.js';
import { isUsable, loginOf } from './session-payload.js';

/** Paths that browsers navigate to. Only these use the session. */
const BROWSER_PATHS = /^\/oauth\/(?:authorize(?:\/[\w-]+)?|logout|interactions\/[\w-]+)$/;
const INTERACTION_PATH = /^\/oauth\/interactions\/([\w-]+)$/;

/** OpenID Connect allows POST where applications send browsers. */
const FORM_PATHS = /^\/oauth\/(?:authorize|logout)$/;
const readForm = express.text({ type: 'application/x-www-form-urlencoded', limit: '64kb' });

export const isBrowserPath = (path: string): boolean => BROWSER_PATHS.test(path);

/** What browsers request and the library does not handle: the way back from the pages, the sign-out, and the way to the session cookie. */
@Injectable()
export class BrowserEndpointsService {
  constructor(
    private readonly interactions: InteractionsService,
    private readonly interactionPages: InteractionPagesService,
    private readonly pages: OAuthPagesService,
    private readonly logoutService: LogoutService,
    private readonly sessionCallers: SessionCallersService,
    private readonly cookie: SessionCookie,
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
    const outcome = await this.logoutService.logout(request.context, parameters, session);
    if (outcome.kind === 'problem') return this.pages.sendError(request, response, outcome.problem);
    if (outcome.kind === 'done' && outcome.endedSession) this.cookie.clear(request, response);
    response.redirect(303, outcome.address);
  }
}
