import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { BaseQuery, column, inTenants, row, type RowOf } from '#platform/database';
import type { ReceiverKey } from '#webhooks/delivery';
import { DataSource } from 'typeorm';
import type { DeliveryMethod, StreamStatus, SubjectFormat } from './ssf-stream.entity.js';

const STREAM_FIELDS = {
  tenantId: column.text(),
  id: column.text(),
  organizationId: column.text(),
  clientId: column.nullable(column.text()),
  deliveryMethod: column.text<DeliveryMethod>(),
  status: column.text<StreamStatus>(),
  /** Whether the receiver and its organization are active, and the client still has a scope for streams. */
  isAllowed: column.boolean(),
};

const CANDIDATE_ROW = row({
  ...STREAM_FIELDS,
  eventsRequested: column.arrayOf(column.text()),
  includeDescendants: column.boolean(),
  createdSeq: column.digits(),
});

const RECEIVING_ROW = row({
  ...STREAM_FIELDS,
  endpointUrl: column.nullable(column.text()),
  authorizationSealed: column.nullable(column.text()),
  subjectFormat: column.text<SubjectFormat>(),
});

const EMAIL_ROW = row({ email: column.text() });
const ID_ROW = row({ id: column.text() });
const PROGRESS_ROW = row({
  streamId: column.text(),
  clientName: column.nullable(column.text()),
  lastDeliveryAt: column.nullable(column.timestamp()),
  pending: column.integer(),
});

/** A stream that can contain events of a tenant. */
export type CandidateStream = Readonly<RowOf<typeof CANDIDATE_ROW>>;

/** A stream with all that decides how its events are sent now. */
export type ReceivingStream = Readonly<RowOf<typeof RECEIVING_ROW>>;

/** What administrators see of the deliveries of a stream. */
export interface StreamProgress {
  readonly clientName: string | null;
  readonly lastDeliveryAt: Date | null;
  /** The number of pending deliveries, at most 1,000. */
  readonly pending: number;
}

const PENDING_COUNTED_MAX = 1_000;

/**
 * Returns the columns of a stream `s` with its client `c`. `api` is a parameter with the identifier of this service's API, and `now` one with
 * the time.
 */
const streamColumns = (
  api: string,
  now: string,
): string => `s.tenant_id AS "tenantId", s.id, s.organization_id AS "organizationId",
  s.client_id AS "clientId", s.delivery_method AS "deliveryMethod", s.status,
  NOT EXISTS (SELECT FROM organizations o CROSS JOIN LATERAL unnest(o.ancestor_ids || o.id) AS a (id)
      JOIN organizations x ON x.tenant_id = o.tenant_id AND x.id = a.id AND x.status <> 'active'
      WHERE o.tenant_id = s.tenant_id AND o.id = s.organization_id)
    AND (s.client_id IS NULL OR coalesce(c.enabled AND c.disabled_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > ${now})
      AND c.resource_scopes -> ${api} ?| ARRAY['*', 'ssf_streams:*', 'ssf_streams:read', 'ssf_streams:write', 'ssf.manage', 'ssf.read'], false))
    AS "isAllowed"`;

/** Reads streams for the relay and for deliveries, and users as subjects. */
@Injectable()
export class SsfStreamQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly config: AppConfig,
  ) {
    super(dataSource);
  }

  /** Returns the streams of a tenant, also disabled ones, because the change of a status is an event itself. */
  listCandidates(ctx: RequestContext, tenantId: string, now: Date): Promise<CandidateStream[]> {
    return this.query(
      ctx,
      CANDIDATE_ROW,
      `SELECT ${streamColumns('$2', '$3')}, s.events_requested AS "eventsRequested", s.created_seq AS "createdSeq",
         s.client_id IS NULL OR c.visibility = 'descendants' AS "includeDescendants"
       FROM ssf_streams s LEFT JOIN oauth_clients c ON c.tenant_id = s.tenant_id AND c.id = s.client_id
       WHERE s.tenant_id = $1 ORDER BY s.id`,
      [tenantId, this.config.baseUrl, now],
      { prepared: true },
    );
  }

  /** Returns the existing streams, of any tenants. */
  listReceiving(ctx: RequestContext, keys: readonly ReceiverKey[], now: Date): Promise<ReceivingStream[]> {
    return this.query(
      ctx,
      RECEIVING_ROW,
      `SELECT ${streamColumns('$3', '$4')}, s.endpoint_url AS "endpointUrl", s.authorization_sealed AS "authorizationSealed",
         s.subject_format AS "subjectFormat"
       FROM unnest($1::text[], $2::text[]) AS j (tenant_id, id) JOIN ssf_streams s ON s.tenant_id = j.tenant_id AND s.id = j.id
       LEFT JOIN oauth_clients c ON c.tenant_id = s.tenant_id AND c.id = s.client_id
       WHERE ${inTenants('s.tenant_id', '$1')}`,
      [keys.map(({ tenantId }) => tenantId), keys.map(({ id }) => id), this.config.baseUrl, now],
      { prepared: true },
    );
  }

  /** Returns the email address of a user of the tenant. */
  async findEmail(ctx: RequestContext, tenantId: string, userId: string): Promise<string | undefined> {
    const sql = 'SELECT email FROM users WHERE tenant_id = $1 AND id = $2';
    const [user] = await this.query(ctx, EMAIL_ROW, sql, [tenantId, userId], { prepared: true });
    return user?.email;
  }

  /** Returns the users with this id or email address whom the organization of the stream or a descendant manages. */
  async findUserIds(
    ctx: RequestContext,
    { tenantId, organizationId }: Pick<ReceivingStream, 'tenantId' | 'organizationId'>,
    user: { readonly id?: string; readonly emailKey?: string },
  ): Promise<string[]> {
    const users = await this.query(
      ctx,
      ID_ROW,
      `SELECT u.id FROM users u JOIN organizations o ON o.tenant_id = u.tenant_id AND o.id = u.organization_id
       WHERE u.tenant_id = $1 AND (u.id = $3 OR u.email_key = $4) AND (o.id = $2 OR $2 = ANY (o.ancestor_ids))`,
      [tenantId, organizationId, user.id ?? null, user.emailKey ?? null],
    );
    return users.map(({ id }) => id);
  }

  /** Returns whether the receiver removed the user from the stream. */
  async isRemoved(ctx: RequestContext, { tenantId, id }: ReceiverKey, userId: string): Promise<boolean> {
    const sql = 'SELECT user_id AS id FROM ssf_removed_subjects WHERE tenant_id = $1 AND stream_id = $2 AND user_id = $3';
    return (await this.query(ctx, ID_ROW, sql, [tenantId, id, userId], { prepared: true })).length > 0;
  }

  /** Removes users from a stream. */
  async removeSubjects(ctx: RequestContext, { tenantId, id }: ReceiverKey, userIds: readonly string[], at: Date): Promise<void> {
    await this.execute(
      ctx,
      `INSERT INTO ssf_removed_subjects (tenant_id, stream_id, user_id, removed_at) SELECT $1, $2, user_id, $4::timestamptz
       FROM unnest($3::text[]) AS r (user_id) ON CONFLICT (tenant_id, stream_id, user_id) DO NOTHING`,
      [tenantId, id, userIds, at],
    );
  }

  /** Adds users to a stream again. */
  async addSubjects(ctx: RequestContext, { tenantId, id }: ReceiverKey, userIds: readonly string[]): Promise<void> {
    const sql = 'DELETE FROM ssf_removed_subjects WHERE tenant_id = $1 AND stream_id = $2 AND user_id = ANY ($3)';
    await this.execute(ctx, sql, [tenantId, id, userIds]);
  }

  /** Forgets a user who was deleted permanently. */
  async forgetSubject(ctx: RequestContext, tenantId: string, userId: string): Promise<void> {
    await this.execute(ctx, 'DELETE FROM ssf_removed_subjects WHERE tenant_id = $1 AND user_id = $2', [tenantId, userId]);
  }

  /** Returns the progress of streams of a tenant by id. */
  async mapProgress(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, StreamProgress>> {
    const rows = await this.query(
      ctx,
      PROGRESS_ROW,
      `SELECT s.id AS "streamId", c.name AS "clientName", h.last_delivery_at AS "lastDeliveryAt",
         (SELECT count(*)::int FROM (SELECT FROM deliveries d WHERE d.tenant_id = $1 AND d.webhook_id = s.id AND d.status = 'pending'
            AND d.webhook_id < 'wh_' LIMIT ${PENDING_COUNTED_MAX}) p) AS pending
       FROM ssf_streams s LEFT JOIN webhook_health h ON h.tenant_id = $1 AND h.webhook_id = s.id
       LEFT JOIN oauth_clients c ON c.tenant_id = $1 AND c.id = s.client_id
       WHERE s.tenant_id = $1 AND s.id = ANY ($2)`,
      [tenantId, ids],
    );
    return new Map(rows.map(({ streamId, ...progress }) => [streamId, progress]));
  }
}
