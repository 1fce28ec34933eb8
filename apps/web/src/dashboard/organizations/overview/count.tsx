import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../../../texts';
import styles from './overview.module.css';

interface Props {
  readonly label: string;
  /** A number, or a text such as "2 → 3". Undefined while the number loads. */
  readonly count: number | string | undefined;
  readonly to?: string;
}

/** A number with its label. Links to the page that lists what is counted. */
export function Count({ label, count, to }: Props) {
  const shown = (
    <Stack gap={0}>
      <Text fz={26} fw={650} lh={1.2} className={styles.number}>
        {typeof count === 'number' ? t('common.total', { count }) : (count ?? '–')}
      </Text>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
    </Stack>
  );
  if (to === undefined) return <div className={styles.count}>{shown}</div>;
  return (
    <Link to={to} className={`${styles.count} ${styles.link}`}>
      {shown}
    </Link>
  );
}
