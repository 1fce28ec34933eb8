import type { ServicePermission } from '#platform/common';
import { NOTIFICATION_TYPES, type NotificationType } from './notification-types.js';

/** Where the notifications of a type come from, and who gets them. */
export interface NotificationSource {
  /**
   * The permissions to see the resource and to solve the problem. A caller needs all of them in the organization. Empty only if `sql` returns
   * a `user_id`.
   */
  readonly permissions: readonly ServicePermission[];
  /** Whether permissions from break-glass access don't count, as for the operation that solves the problem. */
  readonly withoutBreakGlass?: boolean;
  /** Whether something does not work, or somebody waits. */
  readonly isUrgent: boolean;
  /**
   * A SELECT of the problems of the tenant `$1` at the time `$2`, with the columns `organization_id`, `resource_id`, `name`, `since`,
   * `due_at`, `reason`, `excluded_user_id` (cannot solve the problem) and `user_id` (the only user who can). Each table has the condition
   * `tenant_id = $1`, because Citus sends the statement to one shard.
   */
  readonly sql: string;
  /** Returns the path of the page on which the problem is solved. */
  path(organizationId: string, resourceId: string): string;
}

const sources = new Map<NotificationType, NotificationSource>();

/** Defines the sources of notifications. Runs when a library is loaded. */
export function defineNotifications(defined: Readonly<Partial<Record<NotificationType, NotificationSource>>>): void {
  for (const type of NOTIFICATION_TYPES) {
    const source = defined[type];
    if (source) sources.set(type, source);
  }
}

/** Returns the sources of all types, in the order of `NOTIFICATION_TYPES`. @throws Error if no library defines a type */
export const notificationSources = (): readonly (readonly [NotificationType, NotificationSource])[] =>
  NOTIFICATION_TYPES.map((type) => {
    const source = sources.get(type);
    if (!source) throw new Error(`No library defines the notification ${type}.`);
    return [type, source] as const;
  });
