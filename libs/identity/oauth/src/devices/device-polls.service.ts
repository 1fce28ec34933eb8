import { Injectable } from '@nestjs/common';
import { hashToken } from '#platform/crypto';
import { RateLimitService } from '#identity/auth';
import { loadLibrary } from '../provider/library.js';

/** Devices may ask every 5 seconds (RFC 8628, section 3.2). A second less allows for delays of the network. */
const INTERVAL_SECONDS = 4;

/** Slows devices down that ask too often whether the user has answered. */
@Injectable()
export class DevicePollsService {
  constructor(private readonly rateLimit: RateLimitService) {}

  /** Counts a question. @throws SlowDown */
  async count(deviceCode: string): Promise<void> {
    const key = hashToken(deviceCode).toString('base64url');
    const { exceeded } = await this.rateLimit.countUse('oauth-device-poll', key, 1, INTERVAL_SECONDS);
    if (exceeded) throw new (await loadLibrary()).errors.SlowDown();
  }
}
