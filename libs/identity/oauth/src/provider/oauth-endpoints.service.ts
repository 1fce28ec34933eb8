import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { addressGroup, type ServiceRequest } from '#platform/http';
import { RateLimitService, writeRateLimit } from '#identity/auth';
import type { ActiveSession } from '#identity/session-access';
import type { NextFunction, Request, Response } from 'express';
import { BrowserEndpointsService, isBrowserPath } from './browser-endpoints.service.js';
import { DirectResponsesService } from './direct-responses.service.js';
import { LibraryHandlerService } from './library-handler.service.js';
import { implyPushedConsent, withImpliedConsent } from './implied-consent.js';
import { LIBRARY_COOKIES } from './oauth-provider.service.js';
import { OAuthRequest, runOAuthRequest } from './oauth-request.js';
import { WaitingClientsService } from './waiting-clients.service.js';

const PATHS = /^\/(?:oauth\/[^?]*|\.well-known\/(?:openid-configuration|oauth-authorization-server|oauth-protected-resource))$/;
/** The endpoints at which clients authenticate. */
const CLIENT_PATHS = /^\/oauth\/(?:token|introspect|revoke|device|par)$/;

/** The endpoints whose responses contain claims about the user. */
const PROFILE_PATHS = /^\/oauth\/(?:token|userinfo)$/;

/** The endpoints of OAuth and OpenID Connect: Express middleware before the API, which has other bodies and errors. */
@Injectable()
export class OAuthEndpointsService {
  private readonly logger = new Logger('OAuth');

  constructor(
    private readonly library: LibraryHandlerService,
    private readonly direct: DirectResponsesService,
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
    if ((await this.browsers.redirectForm(request, response)) || (await this.direct.respond(request, response))) return;
    const session = await this.browsers.findSession(request);
    const { context, path } = request;
    const [isOfClient, withProfile] = [CLIENT_PATHS.test(path), PROFILE_PATHS.test(path)];
    const clientUse = path === '/oauth/authorize' ? 'request' : isBrowserPath(path) ? 'step' : 'token';
    await runOAuthRequest(new OAuthRequest(context, session, isOfClient, withProfile, clientUse), async () => {
      if (await this.browsers.respond(request, response, session)) return;
      if (path === '/oauth/par') await implyPushedConsent(request);
      this.prepare(request, session);
      await this.library.handle(request, response);
    });
  }

  /** Limits requests by address: of browsers as sign-ins, of programs far more, and those that are stored less. */
  private async isLimited({ path, context }: ServiceRequest, response: Response): Promise<boolean> {
    const [kind, limit] = limitOf(path);
    const state = await this.rateLimit.countUse(kind, addressGroup(context), limit, 60);
    writeRateLimit(response, state);
    const { exceeded, resetSeconds } = state;
    if (!exceeded) return false;
    response.setHeader('Retry-After', resetSeconds);
    response.status(429).json({ error: 'temporarily_unavailable', error_description: `try again in ${resetSeconds} seconds` });
    return true;
  }

  /** Gives the library the addresses of BASE_URL, whatever the headers say, and the session as its own cookie. */
  private prepare(request: ServiceRequest, session: ActiveSession | null): void {
    const { protocol, host } = new URL(this.config.baseUrl);
    const { headers } = request;
    headers['x-forwarded-proto'] = protocol.slice(0, -1);
    headers['x-forwarded-host'] = host;
    const cookies = (headers.cookie ?? '').split(';').filter((pair) => !pair.trim().startsWith(`${LIBRARY_COOKIES.session}=`));
    if (session) cookies.push(`${LIBRARY_COOKIES.session}=${session.session.id}`);
    headers.cookie = cookies.join(';');
    request.url = withImpliedConsent(request.url);
    request.originalUrl = request.url;
  }
}

/** The endpoints that store a request of any client, with their limits. */
const STORING_PATHS: ReadonlyMap<string, readonly [kind: string, usesPerMinute: number]> = new Map([
  ['/oauth/device', ['oauth-device', 120]],
  ['/oauth/par', ['oauth-par', 1_200]],
]);

function limitOf(path: string): readonly [kind: string, usesPerMinute: number] {
  if (isBrowserPath(path)) return ['oauth-browser', 600];
  return STORING_PATHS.get(path) ?? ['oauth-program', 12_000];
}
