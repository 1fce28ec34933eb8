import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import { DataSource } from 'typeorm';
import type { FailureCount } from './attempt-limits.js';

/** Identifies an account by the hash of its email address. The user may not exist. */
export interface AccountKey {
  readonly tenantId: string;
  readonly account: Buffer;
}

export interface FailureCounts {
  readonly fromAddress: FailureCount;
  readonly fromUnknownAddresses: FailureCount;
}

/** The `address` of rows that count the failures from all unknown IP addresses. */
const ALL_ADDRESSES = '';

const FAILURE_ROW = row({
  address: column.text(),
  failures: column.integer(),
  lastFailedAt: column.timestamp(),
  lockedUntil: column.nullable(column.timestamp()),
});
const COUNT_ROW = row({ count: column.integer() });

/** Counts failed sign-ins. Every statement locks the rows of an account in one order, to prevent deadlocks. */
@Injectable()
export class SignInFailureQuery extends BaseQuery implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.lifecycleHandlers.register(this);
  }

  /** Inserts missing counts of an account, and locks the counts until the transaction ends. */
  async lock(ctx: RequestContext, { tenantId, account }: AccountKey, address: string, now: Date): Promise<FailureCounts> {
    const counts = await this.query(
      ctx,
      FAILURE_ROW,
      `INSERT INTO sign_in_failures AS f (tenant_id, account, address, failures, last_failed_at)
       VALUES ($1, $2, '', 0, $4), ($1, $2, $3, 0, $4)
       ON CONFLICT (tenant_id, account, address) DO UPDATE SET failures = f.failures
       RETURNING address, failures, last_failed_at AS "lastFailedAt", locked_until AS "lockedUntil"`,
      [tenantId, account, address, now],
    );
    const countOf = (countAddress: string): FailureCount => {
      const count = counts.find((row) => row.address === countAddress);
      if (!count) throw new Error('A statement that inserts or locks a count returned no row.');
      return count;
    };
    return { fromAddress: countOf(address), fromUnknownAddresses: countOf(ALL_ADDRESSES) };
  }

  async update(ctx: RequestContext, { tenantId, account }: AccountKey, address: string, counts: FailureCounts): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE sign_in_failures f SET failures = n.failures, last_failed_at = n.last_failed_at, locked_until = n.locked_until
       FROM (VALUES ($3, $4::integer, $5::timestamptz, $6::timestamptz), ('', $7::integer, $8::timestamptz, NULL::timestamptz))
         AS n (address, failures, last_failed_at, locked_until)
       WHERE f.tenant_id = $1 AND f.account = $2 AND f.address = n.address`,
      [
        tenantId,
        account,
        address,
        counts.fromAddress.failures,
        counts.fromAddress.lastFailedAt,
        counts.fromAddress.lockedUntil,
        counts.fromUnknownAddresses.failures,
        counts.fromUnknownAddresses.lastFailedAt,
      ],
    );
  }

  /** Subtracts a failure and removes the lock. The withdrawn attempt caused the lock, because a locked account admits no attempts. */
  async withdraw(ctx: RequestContext, { tenantId, account }: AccountKey, address: string): Promise<void> {
    await this.execute(
      ctx,
      `WITH locked AS (
         SELECT address FROM sign_in_failures WHERE tenant_id = $1 AND account = $2 AND address IN ('', $3) ORDER BY address FOR UPDATE
       )
       UPDATE sign_in_failures f SET failures = greatest(0, f.failures - 1), locked_until = NULL
       FROM locked WHERE f.tenant_id = $1 AND f.account = $2 AND f.address = locked.address`,
      [tenantId, account, address],
    );
  }

  /** Deletes the counts of an account for this IP address and for all unknown IP addresses. */
  async clear(ctx: RequestContext, { tenantId, account }: AccountKey, address: string): Promise<void> {
    await this.execute(
      ctx,
      `WITH locked AS (
         SELECT address FROM sign_in_failures WHERE tenant_id = $1 AND account = $2 AND address IN ('', $3) ORDER BY address FOR UPDATE
       )
       DELETE FROM sign_in_failures f USING locked WHERE f.tenant_id = $1 AND f.account = $2 AND f.address = locked.address`,
      [tenantId, account, address],
    );
  }

  /** Returns the number of accounts with failed sign-ins from an IP address after `since`, at most `limit`. */
  async countAccounts(ctx: RequestContext, tenantId: string, address: string, since: Date, limit: number): Promise<number> {
    const [result] = await this.query(
      ctx,
      COUNT_ROW,
      `SELECT count(*)::integer AS count FROM
         (SELECT FROM sign_in_failures WHERE tenant_id = $1 AND address = $2 AND last_failed_at > $3 AND failures > 0 LIMIT $4) AS found`,
      [tenantId, address, since, limit],
    );
    return result?.count ?? 0;
  }

  /** Deletes all counts of a tenant when the root organization is purged. */
  async onPurged(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    if (!organizationIds.includes(tenantId)) return;
    await this.execute(ctx, 'DELETE FROM sign_in_failures WHERE tenant_id = $1', [tenantId]);
  }
}
