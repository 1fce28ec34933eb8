import { List, Paper, Text, Title } from '@mantine/core';
import { type KeyUnder, shortDuration, t } from '../../../texts';
import { formatDateTime } from '../../../ui/format-date-time';
import { RelativeTime } from '../../../ui/relative-time';
import { type DeliveryDetails, hasFurtherAttempts } from '../webhook-queries';

/** Shows the planned attempts, or the final state. */
export function NextAttempts({ delivery }: { delivery: DeliveryDetails }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('deliveries.nextAttempts')}>
      <Title order={2} mb="xs">
        {t('deliveries.nextAttempts')}
      </Title>
      {hasFurtherAttempts(delivery.status) ? (
        <Schedule schedule={delivery.schedule} />
      ) : (
        <Text size="sm">{t(`deliveries.finalStates.${delivery.status as KeyUnder<'deliveries.finalStates'>}`)}</Text>
      )}
    </Paper>
  );
}

function Schedule({ schedule }: Pick<DeliveryDetails, 'schedule'>) {
  if (schedule.length === 0) return <Text size="sm">{t('deliveries.lastChance')}</Text>;
  return (
    <>
      <List size="sm" spacing={4} listStyleType="none" withPadding={false}>
        {schedule.map(({ number, at, afterSeconds }) => (
          <List.Item key={number}>
            <Text span fw={600} size="sm">
              {t('deliveries.nextAttempt', { number })}
            </Text>
            {': '}
            {at !== null ? (
              <>
                {Date.parse(at) <= Date.now() ? t('deliveries.nextNow') : <RelativeTime at={at} />} ({formatDateTime(at)})
              </>
            ) : afterSeconds !== null ? (
              t('deliveries.afterFailure', { time: shortDuration(afterSeconds) })
            ) : (
              t('deliveries.nextHeld')
            )}
          </List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed" mt="sm">
        {t('deliveries.lastChance')}
      </Text>
    </>
  );
}
