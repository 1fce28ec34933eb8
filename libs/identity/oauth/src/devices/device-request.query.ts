import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { hashToken } from '#platform/crypto';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import { userCodeId } from './user-code.js';

/** What a device code says: the request of the device, who entered its user code, and the answer. */
export interface DeviceRequestPayload {
  readonly clientId: string;
  readonly iat: number;
  readonly exp: number;
  readonly params: Readonly<Record<'scope' | 'organization' | 'max_age' | 'acr_values', string | undefined>> & {
    readonly resource?: string | readonly string[];
  };
  readonly deviceInfo?: { readonly ipAddress?: string };
  /** Set when a user has entered the user code. */
  readonly openedBy?: DeviceSession;
}

/** The session in which a user entered the user code. */
export interface DeviceSession {
  readonly userId: string;
  readonly sessionId: string;
}

/** What an answer adds to a request. `signInId` is the sign-in that an approval begins. */
export type DeviceAnswer = Readonly<Record<string, unknown>> & { readonly signInId: string | null };

export interface StoredDeviceRequest {
  /** The hash of the device code in base64. */
  readonly hash: string;
  readonly payload: DeviceRequestPayload;
}

const HASH_ROW = row({ hash: column.text() });
const PAYLOAD_ROW = row({ payload: column.json<DeviceRequestPayload>() });

/** A request that nobody has allowed or denied. */
const OPEN = `kind = 'DeviceCode' AND consumed_at IS NULL AND payload -> 'accountId' IS NULL AND payload -> 'error' IS NULL`;

/** The tables are distributed by the hash, so that statements compare it as it is. */
const bytesOf = (hash: string): Buffer => Buffer.from(hash, 'base64');

/** Finds and answers the requests of devices by their user codes. Both codes are stored only as hashes. */
@Injectable()
export class DeviceRequestQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns a request without an answer. */
  async find(ctx: RequestContext, userCode: string, now: Date): Promise<StoredDeviceRequest | undefined> {
    const [code] = await this.query(
      ctx,
      HASH_ROW,
      `SELECT payload ->> 'deviceCodeHash' AS hash FROM oauth_artifacts WHERE id_hash = $1 AND kind = 'UserCode' AND expires_at > $2`,
      [hashToken(userCodeId(userCode)), now],
      { prepared: true },
    );
    if (!code) return undefined;
    const sql = `SELECT payload FROM oauth_artifacts WHERE id_hash = $1 AND expires_at > $2 AND ${OPEN}`;
    const [request] = await this.query(ctx, PAYLOAD_ROW, sql, [bytesOf(code.hash), now], { prepared: true });
    return request && { hash: code.hash, payload: request.payload };
  }

  /** Binds a request to the session in which the user code was entered. Returns false if another user entered it before. */
  async open(ctx: RequestContext, hash: string, session: DeviceSession): Promise<boolean> {
    const sql = `UPDATE oauth_artifacts SET payload = jsonb_set(payload, '{openedBy}', $2::jsonb)
      WHERE id_hash = $1 AND ${OPEN} AND coalesce(payload #>> '{openedBy,userId}', $3) = $3`;
    return (await this.execute(ctx, sql, [bytesOf(hash), JSON.stringify(session), session.userId], { prepared: true })) === 1;
  }

  /** Adds the answer to a request. Returns false if the request was answered, or if the user code was not entered in this session. */
  async answer(ctx: RequestContext, hash: string, sessionId: string, { signInId, ...fields }: DeviceAnswer): Promise<boolean> {
    const sql = `UPDATE oauth_artifacts SET payload = payload || $3::jsonb, sign_in_id = $4
      WHERE id_hash = $1 AND ${OPEN} AND payload #>> '{openedBy,sessionId}' = $2`;
    return (await this.execute(ctx, sql, [bytesOf(hash), sessionId, JSON.stringify(fields), signInId], { prepared: true })) === 1;
  }

  /** A user code is used once. */
  async deleteUserCode(ctx: RequestContext, userCode: string): Promise<void> {
    const sql = 'DELETE FROM oauth_artifacts WHERE id_hash = $1';
    await this.execute(ctx, sql, [hashToken(userCodeId(userCode))], { prepared: true });
  }
}
