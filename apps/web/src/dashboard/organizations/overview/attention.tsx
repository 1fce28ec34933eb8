import { Button, Paper, Title } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../texts';
import type { Notification } from '../../notifications/notification-queries';
import { NotificationRow } from '../../notifications/notification-row';
import styles from '../../notifications/notifications.module.css';

const INITIALLY_SHOWN = 5;

interface Props {
  readonly org: string;
  readonly notifications: readonly Notification[];
}

/**
 * Lists what fails, expires or waits for a decision in the organization and its descendants, as the bell in the header does: first what is
 * urgent, each with a link to the page that solves it.
 */
export function Attention({ org, notifications }: Props) {
  const [showsAll, setShowsAll] = useState(false);
  if (notifications.length === 0) return null;
  const sorted = notifications.toSorted((a, b) => Number(b.urgent) - Number(a.urgent));
  const shown = showsAll ? sorted : sorted.slice(0, INITIALLY_SHOWN);
  return (
    <Paper withBorder component="section" aria-labelledby="attention">
      <Title order={2} size="h3" px="md" pt="md" pb="xs" id="attention">
        {t('notifications.attention', { count: notifications.length })}
      </Title>
      <ul className={styles.list}>
        {shown.map((notification) => (
          <NotificationRow
            key={notification.id}
            notification={notification}
            withOrganization={notification.organization.id !== org}
          />
        ))}
      </ul>
      {shown.length < notifications.length && (
        <Button variant="subtle" m="xs" onClick={() => setShowsAll(true)}>
          {t('notifications.showAll', { count: notifications.length })}
        </Button>
      )}
    </Paper>
  );
}
