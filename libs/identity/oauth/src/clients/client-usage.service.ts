import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#platform/common';
import { UseRecords } from '#identity/auth';
import { type KnownClient, OAuthClientQuery } from './oauth-client.query.js';

const USE_INTERVAL_MS = 60_000;

/** Records the last use of each client and secret, at most once a minute. */
@Injectable()
export class ClientUsageService extends UseRecords {
  constructor(
    private readonly clientQuery: OAuthClientQuery,
    private readonly clock: Clock,
  ) {
    super(new Logger('ClientUsage'));
  }

  /** `secretId` is the secret with which the client authenticated. */
  recordUse({ tenantId, id }: Pick<KnownClient, 'tenantId' | 'id'>, secretId: string | undefined): void {
    this.writeOnce(id, USE_INTERVAL_MS, (ctx) => this.clientQuery.recordUse(ctx, { tenantId, id }, this.clock.now()));
    if (secretId === undefined) return;
    this.writeOnce(secretId, USE_INTERVAL_MS, (ctx) =>
      this.clientQuery.recordSecretUse(ctx, { tenantId, id: secretId }, this.clock.now()),
    );
  }
}
