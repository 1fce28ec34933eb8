import { findText, t } from '../../texts';
import { formatDateTime } from '../../ui/format-date-time';
import { adviceFor } from '../webhooks/delivery/advice';
import type { Notification } from './notification-queries';

const STATUS = /^status_(\d+)$/;

export const titleOf = ({ type, resource: { name } }: Notification): string => t(`notifications.types.${type}`, { name });

/** Returns the label of the link to the page on which the problem can be solved. */
export const actionOf = ({ type }: Notification): string => t(`notifications.actions.${type}`);

/** Returns why there is a problem, and until when it should be solved. */
export function detailsOf(notification: Notification): string {
  const { dueAt, since } = notification;
  const isExpiry = notification.type.endsWith('_expiring');
  const time = isExpiry
    ? t('notifications.expires', { time: formatDateTime(dueAt ?? since) })
    : t('notifications.since', { time: formatDateTime(since) });
  const until = dueAt !== null && !isExpiry ? t('notifications.until', { time: formatDateTime(dueAt) }) : undefined;
  return [reasonOf(notification), time, until].filter((part) => part !== undefined).join(' ');
}

function reasonOf({ type, reason }: Notification): string | undefined {
  if (reason === null) return undefined;
  if (type !== 'webhook_failing') return findText(`notifications.reasons.${reason}`);
  const code = STATUS.exec(reason)?.[1];
  const failure =
    code === undefined ? { errorKind: reason, responseCode: null } : { errorKind: 'status', responseCode: Number(code) };
  return `${adviceFor(failure).title}.`;
}

/** Returns the path of the page, which is on this origin. */
export function pathOf({ url }: Notification): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
