import { Injectable, Logger } from '@nestjs/common';
import type { ClientReference, RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { addressGroup, readCookies, type ServiceRequest } from '#platform/http';
import { RateLimited, RateLimitService, writeRateLimit } from '#identity/auth';
import type { ActiveSession } from '#identity/session-access';
import type { NextFunction, Request, Response } from 'express';
import { DeviceRequestNotFound } from '../devices/device-errors.js';
import { DeviceRequestsService } from '../devices/device-requests.service.js';
import { interactionCookie } from '../interactions/interaction-cookie.js';
import { InteractionNotFound } from '../interactions/interaction-errors.js';
import { InteractionStoreService } from '../interactions/interaction-store.service.js';
import { BrowserEndpointsService, isBrowserPath } from './browser-endpoints.service.js';
import { DirectResponsesService } from './direct-responses.service.js';
import { LibraryHandlerService } from './library-handler.service.js';
import { implyPushedConsent, withImpliedConsent } from './implied-consent.js';
import { LIBRARY_COOKIES } from './oauth-provider.service.js';
import type { StoredInteraction } from './library.js';
import { OAuthRequest, runOAuthRequest } from './oauth-request.js';

const PATHS = /^\/(?:oauth\/[^?]*|\.well-known\/(?:openid-configuration|oauth-authorization-server|oauth-protected-resource))$/;
/** The endpoints at which clients authenticate. */
const CLIENT_PATHS = /^\/oauth\/(?:token|introspect|revoke|device|par)$/;

/** The endpoints whose responses contain claims about the user. */
const PROFILE_PATHS = /^\/oauth\/(?:token|userinfo)$/;

const SIGN_IN_PATH = /^\/v1\/auth\//;
const SIGN_IN_PROMPTS = new Set(['login', 'create']);
/** A browser can have several authorization requests at once. */
const MAX_REQUESTS = 5;

/** The cookie of the page on which users enter the codes of devices: the code, while the user signs in. */
const USER_CODE_COOKIE = 'oauth-user-code';

/** The endpoints of OAuth and OpenID Connect: Express middleware before the API, which has other bodies and errors. */
@Injectable()
export class OAuthEndpointsService {
  private readonly logger = new Logger('OAuth');

  constructor(
    private readonly library: LibraryHandlerService,
    private readonly direct: DirectResponsesService,
    private readonly browsers: BrowserEndpointsService,
    private readonly interactions: InteractionStoreService,
    private readonly deviceRequests: DeviceRequestsService,
    private readonly rateLimit: RateLimitService,
    private readonly config: AppConfig,
  ) {}

  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    if (!PATHS.test(request.path)) {
      this.attachWaitingClient(request as ServiceRequest);
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

  /**
   * Adds `findWaitingClient` to the context of a request that can sign a user in: it finds the client whose request waits for the sign-in, so
   * that the event of the sign-in names the client.
   */
  private attachWaitingClient(request: ServiceRequest): void {
    if (!SIGN_IN_PATH.test(request.path)) return;
    const prefix = interactionCookie(this.config, '').name;
    const cookies = readCookies(request);
    const ids = cookies.flatMap(([name]) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
    const userCode = cookies.find(([name]) => name === USER_CODE_COOKIE)?.[1];
    if (ids.length === 0 && userCode === undefined) return;
    const { context } = request;
    const find = async () =>
      (userCode === undefined ? undefined : await this.findOfDevice(context, userCode)) ??
      (await this.findOfInteraction(context, ids.slice(-MAX_REQUESTS)));
    request.context = { ...context, findWaitingClient: find };
  }

  /** Counts the code as an attempt to enter one, because a sign-in could otherwise be used to guess codes. */
  private async findOfDevice(ctx: RequestContext, userCode: string): Promise<ClientReference | undefined> {
    const finding = this.deviceRequests.countCode(ctx).then(() => this.deviceRequests.get(ctx, userCode));
    const found = await unlessEnded(finding);
    return found && { id: found.client.id, name: found.client.name };
  }

  /** Returns the client of the latest request that waits for a sign-in. */
  private async findOfInteraction(ctx: RequestContext, ids: readonly string[]): Promise<ClientReference | undefined> {
    const found = await Promise.all(ids.map((id) => unlessEnded(this.interactions.find(ctx, id))));
    const waiting = found.filter(
      (each): each is StoredInteraction => each !== undefined && SIGN_IN_PROMPTS.has(each.prompt.name),
    );
    const [latest] = waiting.toSorted((a, b) => b.iat - a.iat);
    const client = latest && (await unlessEnded(this.interactions.findClient(ctx, latest)));
    return client && { id: client.id, name: client.name };
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

const ENDED = [InteractionNotFound, DeviceRequestNotFound, RateLimited];

const unlessEnded = <T>(finding: Promise<T>): Promise<T | undefined> =>
  finding.catch((error: unknown) => {
    if (ENDED.some((each) => error instanceof each)) return undefined;
    throw error;
  });
