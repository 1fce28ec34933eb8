import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#platform/common';
import { UseRecords } from '../use-records.js';
import { ApiKeyQuery, type KnownKey } from './api-key.query.js';

const USE_INTERVAL_MS = 60_000;
const DAY_MS = 86_400_000;

/** Records the last use of each API key, and of each permission of the key. */
@Injectable()
export class ApiKeyUsageService extends UseRecords {
  constructor(
    private readonly apiKeyQuery: ApiKeyQuery,
    private readonly clock: Clock,
  ) {
    super(new Logger('KeyUsage'));
  }

  /** Writes at most once a minute for each API key. */
  recordUse({ id, tenantId }: Pick<KnownKey, 'id' | 'tenantId'>, ipAddress: string | undefined): void {
    this.writeOnce(id, USE_INTERVAL_MS, (ctx) => this.apiKeyQuery.recordUse(ctx, tenantId, id, this.clock.now(), ipAddress));
  }

  /** Writes at most once a day for each API key and permission. */
  recordPermissionUse({ id, tenantId }: Pick<KnownKey, 'id' | 'tenantId'>, permission: string): void {
    const day = this.clock.now().toISOString().slice(0, 10);
    this.writeOnce(`${id} ${permission} ${day}`, DAY_MS, (ctx) =>
      this.apiKeyQuery.recordPermissionUse(ctx, tenantId, id, permission, day),
    );
  }
}
