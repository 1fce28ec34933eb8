import { randomBytes } from 'node:crypto';
import { newId, systemContext } from '#platform/common';
import { type SecretSealer, SecretUnreadable } from '#platform/crypto';
import type { TransactionRunner } from '#platform/database';
import type { ResealingQuery, SealedRow } from './resealing.query.js';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.js';

const BATCH_SIZE = 500;
const MAX_PASSES = 20;
const PAUSE_BETWEEN_PASSES_MS = 250;

const nameOf = ({ table, column }: SealedColumn): string => `${table}.${column}`;

/** A secret that nobody knows, in base32, which is also a valid seed of an authenticator app. */
const randomSecret = (): string => Array.from(randomBytes(32), (byte) => BASE32[byte % BASE32.length]).join('');
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export interface ResealedColumn {
  /** `table.column`. */
  readonly name: string;
  resealed: number;
  /** The contexts of texts that can't be decrypted with the key that sealed the text. */
  readonly unreadable: Set<string>;
  /** The number of texts sealed with any key except the newest key, by the id of the key. */
  remaining: Readonly<Record<string, number>>;
}

/**
 * Seals all texts of older keys with the newest key while the service runs. Each batch is a short transaction, so a run can stop
 * at any time and the next run continues. A pass skips texts that the service changes at the same time. The next pass seals the
 * skipped texts.
 */
export class SecretResealer {
  private readonly ctx = systemContext(newId('request'));

  constructor(
    private readonly resealingQuery: ResealingQuery,
    private readonly transactions: TransactionRunner,
    private readonly sealer: SecretSealer,
  ) {}

  async resealAll(): Promise<ResealedColumn[]> {
    const results: ResealedColumn[] = [];
    for (const column of SEALED_COLUMNS) results.push(await this.resealColumn(column));
    return results;
  }

  /** Removes or replaces everything that only a lost key can decrypt. Returns the numbers of rows by column. */
  async discard(keyId: string): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const column of SEALED_COLUMNS) counts.set(nameOf(column), await this.discardColumn(column, keyId));
    return counts;
  }

  private async discardColumn(column: SealedColumn, keyId: string): Promise<number> {
    const { resealingQuery, ctx } = this;
    if (column.whenLost === 'delete') return resealingQuery.deleteByKey(ctx, column, keyId);
    if (column.whenLost === 'clear') return resealingQuery.clearByKey(ctx, column, keyId);
    for (let count = 0; ;) {
      const rows = await resealingQuery.listNext(ctx, column, [keyId], undefined, BATCH_SIZE);
      if (rows.length === 0) return count;
      const replaced = rows.map((row) => ({ ...row, resealed: this.sealer.seal(randomSecret(), row.context) }));
      count += await resealingQuery.update(ctx, column, replaced);
    }
  }

  private async resealColumn(column: SealedColumn): Promise<ResealedColumn> {
    const { resealingQuery, ctx, sealer } = this;
    const result: ResealedColumn = {
      name: nameOf(column),
      resealed: 0,
      unreadable: new Set<string>(),
      remaining: {},
    };
    for (let pass = 1; pass <= MAX_PASSES; pass++) {
      let last: SealedRow | undefined;
      do last = await this.resealBatch(column, result, last);
      while (last);
      result.remaining = await resealingQuery.countByOtherKeys(ctx, column, sealer.sealingKeyId);
      const openable = sealer.previousKeyIds.reduce((sum, id) => sum + (result.remaining[id] ?? 0), 0);
      if (openable <= result.unreadable.size) break;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_BETWEEN_PASSES_MS));
    }
    return result;
  }

  /**
   * Seals the next batch of rows after the row `after`. Returns the last row of the batch, or undefined if there are no more
   * rows.
   */
  private async resealBatch(
    column: SealedColumn,
    result: ResealedColumn,
    after: SealedRow | undefined,
  ): Promise<SealedRow | undefined> {
    const { last, count } = await this.transactions.run(this.ctx, async (ctx) => {
      const rows = await this.resealingQuery.listNext(ctx, column, this.sealer.previousKeyIds, after?.key, BATCH_SIZE);
      const changed = rows.flatMap((row) => {
        const resealed = this.sealAgain(row);
        if (resealed === undefined) result.unreadable.add(row.context);
        return resealed === undefined ? [] : [{ ...row, resealed }];
      });
      const count = changed.length > 0 ? await this.resealingQuery.update(ctx, column, changed) : 0;
      return { last: rows.at(-1), count };
    });
    result.resealed += count;
    return last;
  }

  private sealAgain({ sealed, context }: SealedRow): string | undefined {
    try {
      return this.sealer.seal(this.sealer.open(sealed, context), context);
    } catch (error) {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    }
  }
}
