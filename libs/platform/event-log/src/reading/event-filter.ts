import { firstIdAt, type OrganizationScope } from '#platform/common';
import { coversEvent, EVENT_TYPES } from '#platform/events';
import { wordPattern } from './word-pattern.js';

export interface EventFilter {
  /** Event types, and groups such as `user.*`. */
  readonly types?: readonly string[];
  readonly actorId?: string;
  /** Only events of users as whom this user was signed in for support. */
  readonly impersonatorId?: string;
  readonly userId?: string;
  /** Earliest time of events, inclusive. */
  readonly since?: Date;
  /** Latest time of events, exclusive. */
  readonly until?: Date;
  /** Words that must all occur in values of the event. */
  readonly words?: readonly string[];
  /** Position of the last event before the selected events. */
  readonly afterPosition?: bigint;
  /** Position of the last selected event. */
  readonly toPosition?: bigint;
  readonly includeDescendants: boolean;
}

/** The organization whose log is read. */
export type LogOrganization = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>;

/** A filter as SQL conditions on `events e`. */
export interface EventConditions {
  readonly where: string;
  readonly parameters: readonly unknown[];
  /** False if PostgreSQL must plan statements with the conditions for their values. */
  readonly prepared: false | undefined;
}

/**
 * Tolerance in milliseconds for clock differences when a period is converted to bounds on event IDs. IDs contain the event's time, so
 * PostgreSQL skips partitions outside the bounds.
 */
const ID_SLACK_MS = 24 * 3_600_000;
const firstIdNear = (time: Date, slackMs: number): string => firstIdAt('event', new Date(time.getTime() + slackMs));

/** Returns the conditions of a filter. Excludes events without a position, because the order of these events is not final. */
export function conditionsOf(organization: LogOrganization, filter: EventFilter): EventConditions {
  const parameters: unknown[] = [organization.tenantId];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const parts = ['e.tenant_id = $1', 'e.position IS NOT NULL'];
  const scope = scopeCondition(organization, filter.includeDescendants, parameter);
  if (scope) parts.push(scope);
  const { types: subscriptions, actorId, impersonatorId, userId, since, until, afterPosition, toPosition, words = [] } = filter;
  if (subscriptions !== undefined && !subscriptions.includes('*')) {
    const types = EVENT_TYPES.filter((type) => subscriptions.some((subscription) => coversEvent(subscription, type)));
    // With `=`, PostgreSQL reads the events in index order. With ANY, it must sort them.
    parts.push(types.length === 1 ? `e.type = ${parameter(types[0])}` : `e.type = ANY (${parameter(types)}::text[])`);
  }
  if (actorId !== undefined) parts.push(`e.actor_id = ${parameter(actorId)}`);
  if (impersonatorId !== undefined) parts.push(`e.impersonator_id = ${parameter(impersonatorId)}`);
  if (userId !== undefined) parts.push(`e.user_id = ${parameter(userId)}`);
  if (since !== undefined)
    parts.push(`e.occurred_at >= ${parameter(since)} AND e.id >= ${parameter(firstIdNear(since, -ID_SLACK_MS))}`);
  if (until !== undefined)
    parts.push(`e.occurred_at < ${parameter(until)} AND e.id < ${parameter(firstIdNear(until, ID_SLACK_MS))}`);
  if (afterPosition !== undefined) parts.push(`e.position > ${parameter(afterPosition.toString())}::bigint`);
  if (toPosition !== undefined) parts.push(`e.position <= ${parameter(toPosition.toString())}::bigint`);
  // Last, because it is the only condition that takes long to check.
  for (const word of words) parts.push(`e.payload ~ ${parameter(wordPattern(word))}`);
  // The best plan depends on the words and on how frequent the types are.
  return {
    where: parts.join(' AND '),
    parameters,
    prepared: words.length > 0 || (subscriptions?.length ?? 0) > 1 ? false : undefined,
  };
}

/** Returns the condition that selects an organization's events, or undefined if all events of the tenant are selected. */
export function scopeCondition(
  organization: LogOrganization,
  includeDescendants: boolean,
  parameter: (value: unknown) => string,
): string | undefined {
  if (includeDescendants && organization.ancestorIds.length === 0) return undefined;
  const id = parameter(organization.id);
  return includeDescendants ? `(e.organization_id = ${id} OR e.ancestor_ids @> ARRAY[${id}])` : `e.organization_id = ${id}`;
}
