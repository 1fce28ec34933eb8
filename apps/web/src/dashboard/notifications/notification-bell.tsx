import { ActionIcon, Box, Popover, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { BellIcon } from '@primer/octicons-react';
import { t } from '../../texts';
import { NotificationPanel } from './notification-panel';
import { useNotifications } from './notification-queries';
import styles from './notifications.module.css';

const SHOWN_COUNT_MAX = 99;

/** The bell in the header with the number of unread notifications. Operators see the notifications of the organization of the page. */
export function NotificationBell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const notifications = useNotifications();
  if (!notifications) return null;
  const { query, canMark } = notifications;
  const unread = query.data?.filter(({ readAt }) => readAt === null).length ?? 0;
  const label = t('notifications.bell', { count: unread });
  return (
    <Popover
      opened={isOpen}
      onDismiss={close}
      position="bottom-end"
      width="min(26rem, calc(100vw - 1rem))"
      trapFocus
      returnFocus
      shadow="md"
      withRoles={false}
    >
      <Popover.Target>
        <Box pos="relative">
          <ActionIcon
            variant="default"
            size="lg"
            onClick={toggle}
            aria-label={label}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
          >
            <BellIcon size={18} />
          </ActionIcon>
          {unread > 0 && (
            <span className={styles.count} aria-hidden>
              {unread > SHOWN_COUNT_MAX ? `${SHOWN_COUNT_MAX}+` : unread}
            </span>
          )}
          <VisuallyHidden role="status">{query.data && label}</VisuallyHidden>
        </Box>
      </Popover.Target>
      <Popover.Dropdown p={0} role="dialog" aria-label={t('notifications.title')}>
        <NotificationPanel query={query} canMark={canMark} onClose={close} />
      </Popover.Dropdown>
    </Popover>
  );
}
