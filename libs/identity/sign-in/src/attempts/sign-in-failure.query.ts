import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { type OrganizationFollower, OrganizationFollowers } from '#directory/organizations';
import { DataSource } from 'typeorm';
import { CLOSED_MS, type FailureCount } from './attempt-limits.js';

/** Whose failures, whether there is such a user or not. */
export interface AccountKey {
  readonly tenantId: string;
  readonly account: Buffer;
}

/** The address of the row that counts for all addresses which the account does not know. */
const ALL_ADDRESSES = '';

/** Rows that count failed sign-ins. */
@Injectable()
export class SignInFailureRepository extends SqlRepository implements OrganizationFollower, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly followers: OrganizationFollowers,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.followers.register(this);
  }

  /** What was counted, held until the transaction ends: others that try the same account wait. */
  async lock(
    ctx: RequestContext,
    { tenantId, account }: AccountKey,
    address: string,
    now: Date,
  ): Promise<{ pair: FailureCount; account: FailureCount }> {
    const rows = await this.query<FailureCount & { address: string }>(
      ctx,
      `INSERT INTO sign_in_failures AS f (tenant_id, account, address, failures, last_failed_at)
       VALUES ($1, $2, '', 0, $4), ($1, $2, $3, 0, $4)
       ON CONFLICT (tenant_id, account, address) DO UPDATE SET failures = f.failures
       RETURNING address, failures, last_failed_at AS "lastFailedAt", locked_until AS "lockedUntil"`,
      [tenantId, account, address, now],
    );
    const of = (wanted: string): FailureCount => rows.find((row) => row.address === wanted)!;
    return { pair: of(address), account: of(ALL_ADDRESSES) };
  }

  /** Writes both counts of an account that the transaction holds. */
  async save(
    ctx: RequestContext,
    { tenantId, account }: AccountKey,
    address: string,
    counts: { pair: FailureCount; account: FailureCount },
  ): Promise<void> {
    await this.query(
      ctx,
      `UPDATE sign_in_failures f SET failures = n.failures, last_failed_at = n.last_failed_at, locked_until = n.locked_until
       FROM (VALUES ($3, $4::integer, $5::timestamptz, $6::timestamptz), ('', $7::integer, $8::timestamptz, NULL::timestamptz))
         AS n (address, failures, last_failed_at, locked_until)
       WHERE f.tenant_id = $1 AND f.account = $2 AND f.address = n.address`,
      [
        tenantId,
        account,
        address,
        counts.pair.failures,
        counts.pair.lastFailedAt,
        counts.pair.lockedUntil,
        counts.account.failures,
        counts.account.lastFailedAt,
      ],
    );
  }

  /** Counts one failure less. A lock that stands was brought by the try that is withdrawn: it would not have been admitted under another. */
  async withdraw(ctx: RequestContext, { tenantId, account }: AccountKey, address: string): Promise<void> {
    await this.query(
      ctx,
      `WITH held AS (
         SELECT address FROM sign_in_failures WHERE tenant_id = $1 AND account = $2 AND address IN ('', $3) ORDER BY address FOR UPDATE
       )
       UPDATE sign_in_failures f SET failures = greatest(0, f.failures - 1), locked_until = NULL
       FROM held WHERE f.tenant_id = $1 AND f.account = $2 AND f.address = held.address`,
      [tenantId, account, address],
    );
  }

  /** Forgets the failures of an account from one address, and those from addresses that it does not know. */
  async clear(ctx: RequestContext, { tenantId, account }: AccountKey, address: string): Promise<void> {
    // Held in the same order as by `lock`, so that the two never wait for each other.
    await this.query(
      ctx,
      `WITH held AS (
         SELECT address FROM sign_in_failures WHERE tenant_id = $1 AND account = $2 AND address IN ('', $3) ORDER BY address FOR UPDATE
       )
       DELETE FROM sign_in_failures f USING held WHERE f.tenant_id = $1 AND f.account = $2 AND f.address = held.address`,
      [tenantId, account, address],
    );
  }

  /** How many accounts failed from an address since a moment, counted up to `atMost`. */
  async accountsFrom(ctx: RequestContext, tenantId: string, address: string, since: Date, atMost: number): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      ctx,
      `SELECT count(*)::integer AS count FROM
         (SELECT FROM sign_in_failures WHERE tenant_id = $1 AND address = $2 AND last_failed_at > $3 AND failures > 0 LIMIT $4) AS found`,
      [tenantId, address, since, atMost],
    );
    return row?.count ?? 0;
  }

  /** Removes at most `limit` counts that can have no effect any more; gives how many. */
  async removeOld(ctx: RequestContext, now: Date, limit: number): Promise<number> {
    const dayMs = 24 * 3_600_000;
    return this.execute(
      ctx,
      `DELETE FROM sign_in_failures WHERE ctid IN
         (SELECT ctid FROM sign_in_failures WHERE last_failed_at <= $1 AND (address <> '' OR last_failed_at <= $2)
          LIMIT $3 FOR UPDATE SKIP LOCKED)`,
      [new Date(now.getTime() - dayMs), new Date(now.getTime() - CLOSED_MS), limit],
    );
  }

  /** With the root of a tree all that was counted in it goes. */
  async onPurged(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    if (!organizationIds.includes(tenantId)) return;
    await this.query(ctx, 'DELETE FROM sign_in_failures WHERE tenant_id = $1', [tenantId]);
  }
}
