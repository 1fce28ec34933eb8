import { firstIdAt, type OrganizationScope } from '#platform/common';
import { coversEvent, EVENT_TYPES } from '#platform/events';

/** Which events of a log are wanted. */
export interface EventFilter {
  /** A type, or a group such as `user.*`. */
  readonly type?: string;
  readonly actorId?: string;
  readonly userId?: string;
  /** From this moment on. */
  readonly since?: Date;
  /** Before this moment. */
  readonly until?: Date;
  readonly includeDescendants: boolean;
}

export type LogPlace = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>;

/** A filter as conditions on `events e`. */
export interface EventConditions {
  readonly where: string;
  readonly parameters: readonly unknown[];
}

/** An event's id is made when it occurs: as a bound it spares partitions, with room for clocks that disagree. */
const ID_SLACK_MS = 24 * 3_600_000;
const firstIdNear = (moment: Date, slackMs: number): string => firstIdAt('event', new Date(moment.getTime() + slackMs));

/** Only numbered events show: their order is final, so that whoever reads on in it misses none. */
export function conditionsOf(place: LogPlace, filter: EventFilter): EventConditions {
  const parameters: unknown[] = [place.tenantId];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const parts = ['e.tenant_id = $1', 'e.position IS NOT NULL'];
  const scope = scopeCondition(place, filter.includeDescendants, parameter);
  if (scope) parts.push(scope);
  if (filter.type !== undefined && filter.type !== '*') {
    const types = EVENT_TYPES.filter((type) => coversEvent(filter.type!, type));
    // One type is said outright: only so does its index give the order, too.
    parts.push(types.length === 1 ? `e.type = ${parameter(types[0])}` : `e.type = ANY (${parameter(types)}::text[])`);
  }
  if (filter.actorId !== undefined) parts.push(`e.actor_id = ${parameter(filter.actorId)}`);
  if (filter.userId !== undefined) parts.push(`e.user_id = ${parameter(filter.userId)}`);
  if (filter.since !== undefined) {
    parts.push(`e.occurred_at >= ${parameter(filter.since)} AND e.id >= ${parameter(firstIdNear(filter.since, -ID_SLACK_MS))}`);
  }
  if (filter.until !== undefined) {
    parts.push(`e.occurred_at < ${parameter(filter.until)} AND e.id < ${parameter(firstIdNear(filter.until, ID_SLACK_MS))}`);
  }
  return { where: parts.join(' AND '), parameters };
}

/** A tenant's whole log needs no condition on organizations. */
export function scopeCondition(
  place: LogPlace,
  includeDescendants: boolean,
  parameter: (value: unknown) => string,
): string | undefined {
  if (includeDescendants && place.ancestorIds.length === 0) return undefined;
  const id = parameter(place.id);
  return includeDescendants ? `(e.organization_id = ${id} OR e.ancestor_ids @> ARRAY[${id}])` : `e.organization_id = ${id}`;
}
