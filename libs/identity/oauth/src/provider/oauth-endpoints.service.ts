import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { addressGroup, type ServiceRequest } from '#platform/http';
import { RateLimitService, writeRateLimit } from '#identity/auth';
import type { ActiveSession } from '#identity/session-access';
import type { NextFunction, Request, Response } from 'express';
import { BrowserEndpointsService, isBrowserPath } from './browser-endpoints.service.js';
import type { LibraryProvider } from './library.js';
import { LIBRARY_COOKIES, OAuthProviderService } from './oauth-provider.service.js';
import { OAuthRequest, runOAuthRequest } from './oauth-request.js';
import { OAuthRequestsService } from './oauth-requests.service.js';
import { WaitingClientsService } from './waiting-clients.service.js';

const PATHS = /^\/(?:oauth\/[^?]*|\.well-known\/(?:openid-configuration|oauth-authorization-server))$/;
/** The endpoints at which clients authenticate. */
const CLIENT_PATHS = /^\/oauth\/(?:token|introspect|revoke)$/;

/** The endpoints of OAuth and OpenID Connect: Express middleware before the API, which has other bodies and errors. */
@Injectable()
export class OAuthEndpointsService {
  private readonly logger = new Logger('OAuth');
  private readonly callbacks = new WeakMap<LibraryProvider, ReturnType<LibraryProvider['callback']>>();

  constructor(
    private readonly providers: OAuthProviderService,
    private readonly requests: OAuthRequestsService,
    private readonly browsers: BrowserEndpointsService,
    private readonly waitingClients: WaitingClientsService,
    private readonly rateLimit: RateLimitService,
    private readonly config: AppConfig,
  ) {}

  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    if (!PATHS.test(request.path)) {
      this.waitingClients.attach(request as ServiceRequest);
      return next();
    }
    this.respond(request as ServiceRequest, response).catch((error: unknown) => {
      this.logger.error({ err: error }, 'An OAuth request failed.');
      if (!response.headersSent) response.status(503).json({ error: 'temporarily_unavailable' });
    });
  };

  private async respond(request: ServiceRequest, response: Response): Promise<void> {
    if (this.browsers.respondToOtherSite(request, response) || (await this.isLimited(request, response))) return;
    if (await this.browsers.redirectForm(request, response)) return;
    const session = await this.browsers.findSession(request);
    await runOAuthRequest(new OAuthRequest(request.context, session, CLIENT_PATHS.test(request.path)), async () => {
      if (await this.browsers.respond(request, response, session)) return;
      const provider = await this.providers.get();
      this.prepare(request, session);
      await this.callbackOf(provider)(request, response);
    });
  }

  /** Limits requests by address: of browsers as sign-ins, of programs far more. */
  private async isLimited({ path, context }: ServiceRequest, response: Response): Promise<boolean> {
    const [kind, limit] = isBrowserPath(path) ? (['oauth-browser', 600] as const) : (['oauth-program', 12_000] as const);
    const state = await this.rateLimit.countUse(kind, addressGroup(context.ipAddress), limit, 60);
    writeRateLimit(response, state);
    const { exceeded, resetSeconds } = state;
    if (!exceeded) return false;
    response.setHeader('Retry-After', resetSeconds);
    response.status(429).json({ error: 'temporarily_unavailable', error_description: `try again in ${resetSeconds} seconds` });
    return true;
  }

  /** Gives the library the addresses of BASE_URL, whatever the headers say, and the session as its own cookie. */
  private prepare(request: ServiceRequest, session: ActiveSession | null): void {
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
