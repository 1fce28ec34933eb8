import { Injectable } from '@nestjs/common';
import {
  InvalidCursor,
  isId,
  offsetOf,
  type Page,
  pageOf,
  type PageRequest,
  type RequestContext,
  setupLinkOf,
} from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import type { FormatName } from '#webhooks/formats';
import type { PayloadFilter } from './payload-filter.js';
import type { OwnerFlag } from '#directory/memberships';
import type { DisabledReason } from './webhook.entity.js';

/** A webhook with the state of its organization and of its deliveries. */
const DETAILS = row({
  tenantId: column.text(),
  id: column.text(),
  organizationId: column.text(),
  /** Status of the organization. Also `suspended` if an ancestor organization is suspended. */
  organizationStatus: column.text(),
  name: column.text(),
  url: column.text(),
  format: column.text<FormatName>(),
  events: column.arrayOf(column.text()),
  enabled: column.boolean(),
  disabledBy: column.nullable(column.text<DisabledReason>()),
  disabledAt: column.nullable(column.timestamp()),
  includeDescendants: column.boolean(),
  filter: column.nullable(column.json<PayloadFilter>()),
  /** Maximum number of deliveries per second, or null without a limit. */
  rateLimit: column.nullable(column.integer()),
  secretSealed: column.text(),
  /** The secret that takes effect at `nextSecretAt`. */
  nextSecretSealed: column.nullable(column.text()),
  nextSecretAt: column.nullable(column.timestamp()),
  /** Whether the next secret has taken effect, by the clock of the database. */
  nextSecretInForce: column.boolean(),
  headersSealed: column.nullable(column.text()),
  ownerId: column.nullable(column.text()),
  flag: column.nullable(column.text<OwnerFlag>()),
  flaggedAt: column.nullable(column.timestamp()),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
  version: column.integer(),
  consecutiveFailures: column.integer(),
  /** Time of the first of the consecutive failed attempts. */
  failingSince: column.nullable(column.timestamp()),
  /** The kind of error and the response code of the last failed attempt. Null if the last attempt succeeded. */
  failureKind: column.nullable(column.text()),
  failureCode: column.nullable(column.integer()),
  lastDeliveryAt: column.nullable(column.timestamp()),
  /** Number of successful attempts in the last seven days. */
  succeeded: column.float(),
  /** Number of failed attempts in the last seven days. */
  failed: column.float(),
});
export type WebhookDetails = RowOf<typeof DETAILS>;

const COUNTS = row({ total: column.integer(), preceding: column.integer() });

/** Returns the columns. `tenant` is the tenant of the webhook `w`. Citus needs a parameter in subqueries to use only the shard of a tenant. */
const columnsOf = (
  tenant: string,
) => `w.tenant_id AS "tenantId", w.id, w.organization_id AS "organizationId", w.name, w.url, w.format, w.events, w.enabled,
  w.disabled_by AS "disabledBy", w.disabled_at AS "disabledAt", w.include_descendants AS "includeDescendants", w.filter,
  w.rate_limit AS "rateLimit", w.secret_sealed AS "secretSealed",
  w.next_secret_sealed AS "nextSecretSealed", w.next_secret_at AS "nextSecretAt", COALESCE(w.next_secret_at <= now(), false) AS "nextSecretInForce",
  w.headers_sealed AS "headersSealed", w.owner_id AS "ownerId", w.flag, w.flagged_at AS "flaggedAt", w.created_at AS "createdAt", w.updated_at AS "updatedAt", w.version,
  CASE WHEN EXISTS (SELECT FROM organizations a WHERE a.tenant_id = ${tenant} AND a.status = 'suspended'
    AND (a.id = o.id OR a.id = ANY (o.ancestor_ids))) THEN 'suspended' ELSE o.status END AS "organizationStatus",
  COALESCE(h.consecutive_failures, 0) AS "consecutiveFailures", h.last_delivery_at AS "lastDeliveryAt",
  h.failing_since AS "failingSince", f.error_kind AS "failureKind", f.response_code AS "failureCode",
  COALESCE(s.succeeded, 0)::float8 AS succeeded, COALESCE(s.failed, 0)::float8 AS failed`;

const VISIBLE = `FROM webhooks w
  JOIN organizations o ON o.tenant_id = w.tenant_id AND o.id = w.organization_id AND o.deleted_at IS NULL`;

const withHealth = (tenant: string) => `${VISIBLE}
  LEFT JOIN webhook_health h ON h.tenant_id = w.tenant_id AND h.webhook_id = w.id
  LEFT JOIN LATERAL (SELECT sum(d.succeeded) AS succeeded, sum(d.failed) AS failed FROM webhook_daily_stats d
    WHERE d.tenant_id = ${tenant} AND d.webhook_id = w.id AND d.day > (now() AT TIME ZONE 'UTC')::date - 7) s ON true
  LEFT JOIN LATERAL (SELECT t.error_kind, t.response_code FROM delivery_attempts t
    WHERE t.tenant_id = ${tenant} AND t.webhook_id = w.id AND t.error_kind IS NOT NULL AND h.consecutive_failures > 0
    ORDER BY t.started_at DESC LIMIT 1) f ON true`;

/**
 * Reads webhooks of the organization in the path. Without an organization, reads webhooks of all organizations that the caller can
 * access.
 */
@Injectable()
export class WebhookDetailsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async find(ctx: RequestContext, id: string): Promise<WebhookDetails | null> {
    const { tenant, condition, parameters } = visibleTo(ctx);
    const [row] = await this.query(
      ctx,
      DETAILS,
      `SELECT ${columnsOf(tenant)} ${withHealth(tenant)} WHERE w.deleted_at IS NULL AND ${condition} AND w.id = $${parameters.length + 1}`,
      [...parameters, id],
    );
    return row ?? null;
  }

  /** Returns whether a relay is inserting deliveries of the tenant, which it may match with an earlier state of the webhooks. */
  async isRelayInProgress(ctx: RequestContext, tenantId: string): Promise<boolean> {
    const unlocked = await this.query(ctx, row({}), 'SELECT FROM event_streams WHERE tenant_id = $1 FOR KEY SHARE SKIP LOCKED', [
      tenantId,
    ]);
    return unlocked.length === 0;
  }

  /** Returns whether a worker has a lease on a delivery of the webhook. */
  async hasDeliveriesInProgress(
    ctx: RequestContext,
    { tenantId, id }: Pick<WebhookDetails, 'tenantId' | 'id'>,
  ): Promise<boolean> {
    const leasedRows = await this.query(
      ctx,
      row({}),
      `SELECT FROM deliveries WHERE tenant_id = $1 AND webhook_id = $2 AND status = 'pending' AND lease_until > now() LIMIT 1`,
      [tenantId, id],
    );
    return leasedRows.length > 0;
  }

  /** Returns a page of webhooks. @throws InvalidCursor */
  async list(ctx: RequestContext, request: PageRequest): Promise<Page<WebhookDetails>> {
    if (request.after !== undefined && !isId('webhook', request.after)) throw new InvalidCursor('webhook');
    const { tenant, condition, parameters } = visibleTo(ctx);
    const nextParameter = parameters.length + 1;
    const where = `WHERE w.deleted_at IS NULL AND ${condition}`;
    const rows = await this.query(
      ctx,
      DETAILS,
      `SELECT ${columnsOf(tenant)} ${withHealth(tenant)} ${where} AND ($${nextParameter}::text IS NULL OR w.id < $${nextParameter}) ORDER BY w.id DESC LIMIT $${nextParameter + 1} OFFSET $${nextParameter + 2}`,
      [...parameters, request.after ?? null, request.limit + 1, offsetOf(request)],
    );
    const [counts] = await this.query(
      ctx,
      COUNTS,
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE w.id >= $${nextParameter})::int AS preceding ${VISIBLE} ${where}`,
      [...parameters, request.after ?? null],
    );
    return pageOf(request, rows, counts?.total ?? 0, request.after === undefined ? offsetOf(request) : (counts?.preceding ?? 0));
  }
}

/** Returns the condition of visible webhooks `w`, and the SQL of the tenant of a webhook: a parameter if there is only one tenant. */
function visibleTo({ organization, caller }: RequestContext): { tenant: string; condition: string; parameters: unknown[] } {
  if (organization) {
    const parameters = [organization.tenantId, organization.id, setupLinkOf({ caller })];
    const condition = 'w.tenant_id = $1 AND w.organization_id = $2 AND ($3::text IS NULL OR w.setup_link_id = $3)';
    return { tenant: '$1', condition, parameters };
  }
  const tenant = 'w.tenant_id';
  if (caller.kind === 'platform' || caller.kind === 'system') return { tenant, condition: 'true', parameters: [] };
  const condition = '(o.id = ANY($1) OR o.ancestor_ids && $1) AND NOT (o.id = ANY($2) OR o.ancestor_ids && $2)';
  const parameters = [caller.organizationIds ?? [], caller.inaccessibleOrganizationIds ?? []];
  const { tenantIds = [] } = caller;
  if (tenantIds.length === 1)
    return { tenant: '$3', condition: `w.tenant_id = $3 AND ${condition}`, parameters: [...parameters, tenantIds[0]] };
  return { tenant, condition: `w.tenant_id = ANY($3) AND ${condition}`, parameters: [...parameters, tenantIds] };
}
