import { Anchor, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { AlertIcon, InfoIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { t } from '../../texts';
import type { Notification } from './notification-queries';
import { actionOf, detailsOf, pathOf, titleOf } from './notification-texts';
import styles from './notifications.module.css';

interface Props {
  readonly notification: Notification;
  /** Whether to name the organization of the resource. */
  readonly withOrganization: boolean;
  readonly isUnread?: boolean;
  readonly onFollow?: () => void;
}

/** A problem with its reason and a link to the page that solves it. */
export function NotificationRow({ notification, withOrganization, isUnread = false, onFollow }: Props) {
  const Icon = notification.urgent ? AlertIcon : InfoIcon;
  const to = pathOf(notification);
  const link = { to, onClick: onFollow, size: 'sm', fw: 600, underline: 'always' } as const;
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm" className={styles.row} data-unread={isUnread || undefined}>
      <Icon size={16} className={notification.urgent ? styles.urgent : styles.icon} aria-hidden />
      <Stack gap={2} style={{ minWidth: 0 }}>
        <Text size="sm" fw={600} className="breakable">
          {isUnread && <VisuallyHidden>{t('notifications.unread')}: </VisuallyHidden>}
          {titleOf(notification)}
        </Text>
        <Text size="sm" c="dimmed" className="breakable">
          {withOrganization && `${notification.organization.name} · `}
          {detailsOf(notification)}
        </Text>
        <div>
          <Anchor component={Link} {...link} aria-label={`${actionOf(notification)}: ${titleOf(notification)}`}>
            {actionOf(notification)}
          </Anchor>
        </div>
      </Stack>
    </Group>
  );
}
