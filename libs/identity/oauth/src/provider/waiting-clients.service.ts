import { Injectable } from '@nestjs/common';
import type { ClientReference, RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { readCookies, type ServiceRequest } from '#platform/http';
import { RateLimited } from '#identity/auth';
import { DeviceRequestNotFound } from '../devices/device-errors.js';
import { DeviceRequestsService } from '../devices/device-requests.service.js';
import { interactionCookie } from '../interactions/interaction-cookie.js';
import { InteractionNotFound } from '../interactions/interaction-errors.js';
import { InteractionStoreService } from '../interactions/interaction-store.service.js';
import type { StoredInteraction } from './library.js';

const SIGN_IN_PATH = /^\/v1\/auth\//;
const SIGN_IN_PROMPTS = new Set(['login', 'create']);
/** A browser can have several authorization requests at once. */
const MAX_REQUESTS = 5;

/** The cookie of the page on which users enter the codes of devices: the code, while the user signs in. */
const USER_CODE_COOKIE = 'oauth-user-code';

/** Finds the client whose request waits for a sign-in, so that the event of the sign-in names the client. */
@Injectable()
export class WaitingClientsService {
  constructor(
    private readonly store: InteractionStoreService,
    private readonly deviceRequests: DeviceRequestsService,
    private readonly config: AppConfig,
  ) {}

  /** Adds `findWaitingClient` to the context of a request that can sign a user in. */
  attach(request: ServiceRequest): void {
    if (!SIGN_IN_PATH.test(request.path)) return;
    const prefix = interactionCookie(this.config, '').name;
    const cookies = readCookies(request);
    const ids = cookies.flatMap(([name]) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
    const userCode = cookies.find(([name]) => name === USER_CODE_COOKIE)?.[1];
    if (ids.length === 0 && userCode === undefined) return;
    const { context } = request;
    const find = async () =>
      (userCode === undefined ? undefined : await this.findOfDevice(context, userCode)) ??
      (await this.find(context, ids.slice(-MAX_REQUESTS)));
    request.context = { ...context, findWaitingClient: find };
  }

  /** Codes count as entered, so that nobody can guess codes with sign-ins. */
  private async findOfDevice(ctx: RequestContext, userCode: string): Promise<ClientReference | undefined> {
    const finding = this.deviceRequests.countCode(ctx).then(() => this.deviceRequests.get(ctx, userCode));
    const found = await unlessEnded(finding);
    return found && { id: found.client.id, name: found.client.name };
  }

  /** Returns the client of the latest request that waits for a sign-in. */
  private async find(ctx: RequestContext, ids: readonly string[]): Promise<ClientReference | undefined> {
    const found = await Promise.all(ids.map((id) => unlessEnded(this.store.find(ctx, id))));
    const waiting = found.filter(
      (each): each is StoredInteraction => each !== undefined && SIGN_IN_PROMPTS.has(each.prompt.name),
    );
    const [latest] = waiting.toSorted((a, b) => b.iat - a.iat);
    const client = latest && (await unlessEnded(this.store.findClient(ctx, latest)));
    return client && { id: client.id, name: client.name };
  }
}

const ENDED = [InteractionNotFound, DeviceRequestNotFound, RateLimited];

const unlessEnded = <T>(finding: Promise<T>): Promise<T | undefined> =>
  finding.catch((error: unknown) => {
    if (ENDED.some((each) => error instanceof each)) return undefined;
    throw error;
  });
