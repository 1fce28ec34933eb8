import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { addressGroup, SessionCookie, type ServiceRequest } from '#platform/http';
import { RateLimitService } from '#identity/auth';
import { type ActiveSession, SessionCallersService } from '#identity/session-access';
import type { NextFunction, Request, Response } from 'express';
import { InteractionNotFound } from '../interactions/interaction-errors.js';
import { InteractionPagesService, needsFreshProof } from '../interactions/interaction-pages.service.js';
import { InteractionsService } from '../interactions/interactions.service.js';
import { type LibraryProvider } from './library.js';
import { LogoutService } from './logout.service.js';
import { OAuthPagesService } from './oauth-pages.service.js';
import { LIBRARY_COOKIES, OAuthProviderService } from './oauth-provider.service.js';
import { OAuthRequest, runOAuthRequest } from './oauth-request.js';
import { OAuthRequestsService } from './oauth-requests.service.js';
import { isUsable } from './session-payload.js';

const PATHS = /^\/(?:oauth\/[^?]*|\.well-known\/(?:openid-configuration|oauth-authorization-server))$/;
/** Paths that browsers navigate to. Only these use the session. */
const BROWSER_PATHS = /^\/oauth\/(?:authorize(?:\/[\w-]+)?|logout|interactions\/[\w-]+)$/;
const INTERACTION_PATH = /^\/oauth\/interactions\/([\w-]+)$/;
const GUESSES_PER_MINUTE = 600;

/** The endpoints of OAuth and OpenID Connect: Express middleware before the API, which has other bodies and errors. */
@Injectable()
export class OAuthEndpointsService {
  private readonly logger = new Logger('OAuth');
  private readonly callbacks = new WeakMap<LibraryProvider, ReturnType<LibraryProvider['callback']>>();

  constructor(
    private readonly providers: OAuthProviderService,
    private readonly requests: OAuthRequestsService,
    private readonly interactions: InteractionsService,
    private readonly interactionPages: InteractionPagesService,
    private readonly pages: OAuthPagesService,
    private readonly logoutService: LogoutService,
    private readonly sessionCallers: SessionCallersService,
    private readonly cookie: SessionCookie,
    private readonly rateLimit: RateLimitService,
    private readonly config: AppConfig,
  ) {}

  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    if (!PATHS.test(request.path)) return next();
    this.respond(request as ServiceRequest, response).catch((error: unknown) => {
      this.logger.error({ err: error }, 'An OAuth request failed.');
      if (!response.headersSent) response.status(503).json({ error: 'temporarily_unavailable' });
    });
  };

  private async respond(request: ServiceRequest, response: Response): Promise<void> {
    const isBrowser = BROWSER_PATHS.test(request.path);
    if (isBrowser && request.method === 'GET' && this.needsSessionCookie(request))
      return this.pages.sendSameAddress(request, response, this.config.baseUrl + request.originalUrl);
    if (await this.isLimited(request, response)) return;
    const session = isBrowser ? await this.findSession(request) : null;
    const oauthRequest = new OAuthRequest(request.context, session);
    await runOAuthRequest(oauthRequest, async () => {
      const interaction = INTERACTION_PATH.exec(request.path)?.[1];
      if (interaction !== undefined) return this.continueInteraction(request, response, interaction, session);
      if (request.path === '/oauth/logout') return this.logout(request, response, session);
      const provider = await this.providers.get();
      this.prepare(request, response, session);
      await this.callbackOf(provider)(request, response);
    });
  }

  /** Returns whether the browser comes from a page of another site, so that it did not send the session cookie. */
  private needsSessionCookie({ headers }: Request): boolean {
    return (
      headers['sec-fetch-site'] === 'cross-site' &&
      headers['sec-fetch-mode'] === 'navigate' &&
      headers['sec-fetch-dest'] === 'document'
    );
  }

  /** Limits the requests of browsers, and the failed requests of programs, by address. */
  private async isLimited(request: ServiceRequest, response: Response): Promise<boolean> {
    const { exceeded, resetSeconds } = await this.rateLimit.countUse(
      BROWSER_PATHS.test(request.path) ? 'oauth-browser' : 'oauth-program',
      addressGroup(request.context.ipAddress),
      BROWSER_PATHS.test(request.path) ? GUESSES_PER_MINUTE : GUESSES_PER_MINUTE * 20,
      60,
    );
    if (!exceeded) return false;
    response.setHeader('Retry-After', resetSeconds);
    response.status(429).json({ error: 'temporarily_unavailable', error_description: `try again in ${resetSeconds} seconds` });
    return true;
  }

  private async findSession(request: Request): Promise<ActiveSession | null> {
    const token = this.cookie.tokenOf(request);
    return token === undefined ? null : this.sessionCallers.find(token);
  }

  /** Continues an authorization request after a sign-in, or asks its question. */
  private async continueInteraction(
    request: ServiceRequest,
    response: Response,
    id: string,
    session: ActiveSession | null,
  ): Promise<void> {
    try {
      const interaction = await this.interactions.find(request.context, id);
      const { name } = interaction.prompt;
      const asksForSignIn = name === 'login' || name === 'create';
      const isProven = session !== null && isUsable(session);
      const isFresh = session !== null && session.session.authenticatedAt.getTime() >= interaction.iat * 1_000;
      if (!asksForSignIn || !isProven || (!isFresh && (name === 'create' || needsFreshProof(interaction))))
        return response.redirect(303, this.interactionPages.page(interaction));
      const result = { login: { accountId: session.session.userId }, ...(name === 'create' ? { create: {} } : {}) };
      response.redirect(303, await this.interactions.answer(request.context, interaction, result));
    } catch (error) {
      if (!(error instanceof InteractionNotFound)) throw error;
      const problem = { error: 'invalid_request', error_description: error.message };
      this.pages.sendError(request, response, 400, problem, request.context);
    }
  }

  private async logout(request: ServiceRequest, response: Response, session: ActiveSession | null): Promise<void> {
    const parameters = Object.fromEntries(new URL(request.originalUrl, this.config.baseUrl).searchParams);
    const outcome = await this.logoutService.logout(request.context, parameters, session);
    if (outcome.kind === 'problem') return this.pages.sendError(request, response, 400, outcome.problem, request.context);
    if (outcome.kind === 'done' && outcome.endedSession) this.cookie.clear(response);
    response.redirect(303, outcome.address);
  }

  /** Gives the library the addresses of BASE_URL, whatever the headers say, and the session as its own cookie. */
  private prepare(request: ServiceRequest, _response: Response, session: ActiveSession | null): void {
    const { protocol, host, pathname } = new URL(this.config.baseUrl);
    const { headers } = request;
    headers['x-forwarded-proto'] = protocol.slice(0, -1);
    headers['x-forwarded-host'] = host;
    const cookies = (headers.cookie ?? '').split(';').filter((pair) => !pair.trim().startsWith(`${LIBRARY_COOKIES.session}=`));
    if (session) cookies.push(`${LIBRARY_COOKIES.session}=${session.session.id}`);
    headers.cookie = cookies.join(';');
    request.url = withImpliedConsent(request.url);
    request.originalUrl = (pathname === '/' ? '' : pathname) + request.url;
  }

  private callbackOf(provider: LibraryProvider): ReturnType<LibraryProvider['callback']> {
    const existing = this.callbacks.get(provider);
    if (existing) return existing;
    provider.use(this.requests.commit);
    const callback = provider.callback();
    this.callbacks.set(provider, callback);
    return callback;
  }
}

/**
 * The library ignores `offline_access` without `prompt=consent`. Here a remembered consent is enough, so the prompt is added, together with
 * a parameter that says that nobody asked for it.
 */
function withImpliedConsent(address: string): string {
  const url = new URL(address, 'http://localhost');
  const { searchParams } = url;
  const prompts = (searchParams.get('prompt') ?? '').split(' ').filter(Boolean);
  const asksOffline = (searchParams.get('scope') ?? '').split(' ').includes('offline_access');
  if (url.pathname !== '/oauth/authorize' || !asksOffline || prompts.includes('consent') || prompts.includes('none'))
    return address;
  searchParams.set('prompt', [...prompts, 'consent'].join(' '));
  searchParams.set('consent_implied', '1');
  return url.pathname + url.search;
}
