import { ActionIcon, Box, Button, Group, Loader, Text, Title } from '@mantine/core';
import { CheckIcon, XIcon } from '@primer/octicons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { type Notification, NOTIFICATIONS_MAX, useReadNotifications } from './notification-queries';
import { NotificationRow } from './notification-row';
import styles from './notifications.module.css';

interface Props {
  readonly query: UseQueryResult<Notification[]>;
  /** Whether the caller has a read state. */
  readonly canMark: boolean;
  readonly onClose: () => void;
}

/** The list under the bell. Following a link marks the notification as read. */
export function NotificationPanel({ query: { data, error, refetch }, canMark, onClose }: Props) {
  const read = useReadNotifications();
  const closeButton = useRef<HTMLButtonElement>(null);
  const unread = (data ?? []).filter(({ readAt }) => readAt === null).map(({ id }) => id);
  const follow = (id: string) => {
    if (canMark && unread.includes(id)) read.mutate([id]);
    onClose();
  };
  return (
    <>
      <Group justify="space-between" wrap="nowrap" px="sm" py="xs">
        <Title order={2} size="h4">
          {t('notifications.title')}
        </Title>
        <ActionIcon
          ref={closeButton}
          variant="subtle"
          color="gray"
          onClick={onClose}
          aria-label={t('common.close')}
          data-autofocus
        >
          <XIcon size={16} />
        </ActionIcon>
      </Group>
      {canMark && unread.length > 0 && (
        <Button
          size="compact-sm"
          variant="subtle"
          mb="xs"
          ml="xs"
          leftSection={<CheckIcon size={14} />}
          loading={read.isPending}
          // The button disappears, so the focus moves on.
          onClick={() => read.mutate(unread, { onSuccess: () => closeButton.current?.focus() })}
        >
          {t('notifications.markAll')}
        </Button>
      )}
      <Box className={styles.panel} tabIndex={0} role="region" aria-label={t('notifications.list')}>
        {(error ?? read.error) && <ErrorNotice error={error ?? read.error} onRetry={error ? () => void refetch() : undefined} />}
        {!data && !error && <Loader size="sm" m="md" aria-label={t('common.loading')} />}
        {data && <NotificationList notifications={data} canMark={canMark} onFollow={follow} />}
      </Box>
    </>
  );
}

interface ListProps {
  readonly notifications: readonly Notification[];
  readonly canMark: boolean;
  readonly onFollow: (id: string) => void;
}

function NotificationList({ notifications, canMark, onFollow }: ListProps) {
  if (notifications.length === 0)
    return (
      <Text c="dimmed" px="sm" pb="md" size="sm">
        {t('notifications.none')}
      </Text>
    );
  return (
    <>
      <ul className={styles.list}>
        {notifications.map((notification) => (
          <NotificationRow
            key={notification.id}
            notification={notification}
            withOrganization
            isUnread={canMark && notification.readAt === null}
            onFollow={() => onFollow(notification.id)}
          />
        ))}
      </ul>
      {notifications.length >= NOTIFICATIONS_MAX && (
        <Text c="dimmed" p="sm" size="xs">
          {t('notifications.more', { count: NOTIFICATIONS_MAX })}
        </Text>
      )}
    </>
  );
}
