import { Alert } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { KeyIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../../app/session';
import { t } from '../../texts';
import { formatRelativeTime } from '../../ui/relative-time';

const TICK_MS = 10_000;

/** Reminds operators of their full access and its expiry. */
export function OperatorBanner() {
  const { data: session } = useQuery(sessionQuery);
  const [now, setNow] = useState(() => new Date());
  const { start, stop } = useInterval(() => setNow(new Date()), TICK_MS);
  useEffect(() => {
    start();
    return stop;
  }, [start, stop]);
  if (session?.kind !== 'operator') return null;
  const end = new Date(session.expiresAt);
  const isExpired = end <= now;
  return (
    <Alert color={isExpired ? 'red' : 'yellow'} icon={<KeyIcon size={20} />} mb="md" py="xs" role="status">
      {isExpired ? t('shell.operatorOver') : t('shell.operatorUntil', { left: formatRelativeTime(end, now) })}
    </Alert>
  );
}
