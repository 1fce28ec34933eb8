import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { notificationSources, type NotificationType } from '#platform/notification-sources';
import { DataSource } from 'typeorm';
import { type HeldPermission, neededPermissions } from './notification-reach.js';

const PROBLEM_ROW = row({
  type: column.text<NotificationType>(),
  resourceId: column.text(),
  name: column.text(),
  organizationId: column.text(),
  organizationName: column.text(),
  since: column.timestamp(),
  dueAt: column.nullable(column.timestamp()),
  reason: column.nullable(column.text()),
});

/** A problem of a resource of an organization. */
export type Problem = Readonly<RowOf<typeof PROBLEM_ROW>>;

/** What a caller can see of a tenant. */
export interface NotificationScope {
  readonly tenantId: string;
  readonly now: Date;
  readonly held: readonly HeldPermission[];
  /** Organizations whose rules the session doesn't satisfy. */
  readonly excludedIds: readonly string[];
  readonly userId: string | undefined;
  /** The only organization, unless `includeDescendants` is set. Undefined for all organizations of the tenant. */
  readonly organizationId?: string | undefined;
  readonly includeDescendants: boolean;
}

/** Maximum number of notifications of a tenant. */
export const NOTIFICATIONS_MAX = 200;

/** Reads the problems of the sources of all libraries with one statement for each tenant. */
@Injectable()
export class NotificationQuery extends BaseQuery {
  private statement: string | undefined;

  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the problems that the caller can see and solve, newest first. */
  list(ctx: RequestContext, scope: NotificationScope): Promise<Problem[]> {
    this.statement ??= statementOf();
    const { tenantId, now, held, excludedIds, userId, organizationId, includeDescendants } = scope;
    return this.query(ctx, PROBLEM_ROW, this.statement, [
      tenantId,
      now,
      held.map(({ permission }) => permission),
      held.map((each) => each.organizationId),
      organizationId ?? null,
      includeDescendants,
      excludedIds,
      userId ?? '',
    ]);
  }
}

/** Returns the statement. It names every source and every parameter, so that it is the same for all callers. */
function statementOf(): string {
  const problems = notificationSources().map(([type, source]) => {
    const permissions = neededPermissions(source).map((permission) => `'${permission}'`);
    return `SELECT '${type}' AS type, ARRAY[${permissions.join(', ')}]::text[] AS permissions, s.* FROM (${source.sql}) s`;
  });
  return `SELECT p.type, p.resource_id AS "resourceId", p.name, o.id AS "organizationId", o.name AS "organizationName", p.since,
      p.due_at AS "dueAt", p.reason
    FROM (${problems.join('\nUNION ALL ')}) AS p (type, permissions, organization_id, resource_id, name, since, due_at, reason, excluded_user_id, user_id)
    JOIN organizations o ON o.tenant_id = $1 AND o.id = p.organization_id AND o.deleted_at IS NULL
    WHERE ($5::text IS NULL OR o.id = $5 OR ($6 AND $5 = ANY (o.ancestor_ids)))
      AND NOT (o.id = ANY ($7) OR o.ancestor_ids && $7)
      AND p.excluded_user_id IS DISTINCT FROM $8 AND (p.user_id IS NULL OR p.user_id = $8)
      AND cardinality(p.permissions) = (SELECT count(DISTINCT h.permission) FROM unnest($3::text[], $4::text[]) AS h (permission, organization_id)
        WHERE h.permission = ANY (p.permissions) AND (h.organization_id = o.id OR h.organization_id = ANY (o.ancestor_ids)))
    ORDER BY p.since DESC, p.resource_id DESC LIMIT ${NOTIFICATIONS_MAX}`;
}
