import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { hashToken } from '#platform/crypto';
import { addressGroup } from '#platform/http';
import { RateLimited, RateLimitService } from '#identity/auth';
import { DEVICE_CODE_GRANT } from '../clients/oauth-client.entity.js';
import { type KnownClient, OAuthClientQuery } from '../clients/oauth-client.query.js';
import { loadLibrary } from '../provider/library.js';
import { DeviceRequestNotFound } from './device-errors.js';
import { type DeviceAnswer, DeviceRequestQuery, type DeviceSession, type StoredDeviceRequest } from './device-request.query.js';
import { normalizedUserCode } from './user-code.js';

/** How many codes a user, and all users of an address, can enter in ten minutes. There are 25 billion codes. */
const CODES_PER_USER = 20;
const CODES_PER_ADDRESS = 100;
const WINDOW_SECONDS = 600;

/** Devices may ask every 5 seconds (RFC 8628, section 3.2). A second less allows for delays of the network. */
const POLL_INTERVAL_SECONDS = 4;

/** The request of a device, and its client. */
export interface DeviceRequest extends StoredDeviceRequest {
  readonly userCode: string;
  readonly client: KnownClient;
}

/** Finds the requests of devices that wait for an answer of a user. */
@Injectable()
export class DeviceRequestsService {
  constructor(
    private readonly query: DeviceRequestQuery,
    private readonly clientQuery: OAuthClientQuery,
    private readonly rateLimit: RateLimitService,
    private readonly clock: Clock,
  ) {}

  /** Counts an entered code, so that codes can't be guessed. @throws RateLimited (429) */
  async countCode(ctx: RequestContext): Promise<void> {
    const { caller } = ctx;
    const states = [await this.rateLimit.countUse('oauth-code-address', addressGroup(ctx), CODES_PER_ADDRESS, WINDOW_SECONDS)];
    if (caller.id !== undefined)
      states.push(await this.rateLimit.countUse('oauth-code-user', caller.id, CODES_PER_USER, WINDOW_SECONDS));
    const exceeded = states.find((state) => state.exceeded);
    if (exceeded) throw new RateLimited(exceeded.resetSeconds);
  }

  /** Counts a question of a device whether the user has answered, to slow down devices that ask too often. @throws SlowDown */
  async countPoll(deviceCode: string): Promise<void> {
    const key = hashToken(deviceCode).toString('base64url');
    const { exceeded } = await this.rateLimit.countUse('oauth-device-poll', key, 1, POLL_INTERVAL_SECONDS);
    if (exceeded) throw new (await loadLibrary()).errors.SlowDown();
  }

  /** Returns a request whose client can still use the answer. @throws DeviceRequestNotFound (404) */
  async get(ctx: RequestContext, text: string): Promise<DeviceRequest> {
    const userCode = normalizedUserCode(text);
    const now = this.clock.now();
    const stored = userCode === undefined ? undefined : await this.query.find(ctx, userCode, now);
    if (userCode === undefined || !stored || stored.payload.exp * 1_000 <= now.getTime()) throw new DeviceRequestNotFound();
    const client = await this.clientQuery.findById(ctx, stored.payload.clientId, now);
    if (!client?.isActive || !client.grantTypes.includes(DEVICE_CODE_GRANT)) throw new DeviceRequestNotFound();
    return { ...stored, userCode, client };
  }

  /**
   * Returns a request whose user code was entered in this session. A code that was not is like a wrong one, so that answers don't tell which
   * codes exist: only entered codes are counted.
   * @throws DeviceRequestNotFound (404)
   */
  async getOpened(ctx: RequestContext, text: string, sessionId: string): Promise<DeviceRequest> {
    const request = await this.get(ctx, text);
    if (request.payload.openedBy?.sessionId !== sessionId) throw new DeviceRequestNotFound();
    return request;
  }

  /** Binds a request to the session in which its code was entered. @throws DeviceRequestNotFound (404) if another user entered it before */
  async open(ctx: RequestContext, { hash }: DeviceRequest, session: DeviceSession): Promise<void> {
    if (!(await this.query.open(ctx, hash, session))) throw new DeviceRequestNotFound();
  }

  /**
   * Answers a request, in a transaction of the caller. The user code works no more.
   * @throws DeviceRequestNotFound (404) if the code was not entered in this session, or was answered
   */
  async answer(ctx: RequestContext, { hash, userCode }: DeviceRequest, sessionId: string, answer: DeviceAnswer): Promise<void> {
    if (!(await this.query.answer(ctx, hash, sessionId, answer))) throw new DeviceRequestNotFound();
    await this.query.deleteUserCode(ctx, userCode);
  }
}
