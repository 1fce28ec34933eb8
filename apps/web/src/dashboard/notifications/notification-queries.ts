import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, type Schema, unwrap } from '../../api/client';
import { sessionQuery } from '../../app/session';
import { useApiMutation } from '../../ui/use-api-mutation';

export type Notification = Schema<'NotificationResponse'>;

/** The maximum number of notifications in a response. */
export const NOTIFICATIONS_MAX = 200;

const REFRESH_MS = 60_000;

/** Loads the notifications of the signed-in user in all organizations. */
export const ownNotificationsQuery = queryOptions({
  queryKey: ['notifications', 'own'],
  queryFn: async () => (await unwrap(api.GET('/v1/auth/me/notifications'))).data,
  refetchInterval: REFRESH_MS,
});

/** Loads the notifications of an organization and its descendants. */
export const notificationsQuery = (org: string) =>
  queryOptions({
    queryKey: ['notifications', org],
    queryFn: async () => {
      const params = { path: { org }, query: { includeDescendants: true } };
      return (await unwrap(api.GET('/v1/organizations/{org}/notifications', { params }))).data;
    },
    refetchInterval: REFRESH_MS,
  });

/**
 * The notifications of the signed-in user in all organizations. Operators, who are no users, get those of the organization of the page.
 * Undefined for sessions that can't read notifications.
 */
export function useNotifications() {
  const { org } = useParams({ strict: false });
  const { data: session } = useQuery(sessionQuery);
  const isUser = session?.kind === 'user' && !session.user?.session.mfaEnrolmentRequired;
  const isOperator = session?.kind === 'operator' && org !== undefined;
  const own = useQuery({ ...ownNotificationsQuery, enabled: isUser });
  const ofOrganization = useQuery({ ...notificationsQuery(org ?? ''), enabled: isOperator });
  if (isUser) return { query: own, canMark: !session.user?.session.impersonator };
  return isOperator ? { query: ofOrganization, canMark: false } : undefined;
}

/** Marks notifications as read. */
export const useReadNotifications = () =>
  useApiMutation({
    mutationFn: (ids: string[]) => unwrap(api.POST('/v1/auth/me/notifications/read', { body: { ids } })),
    invalidates: [['notifications']],
  });
