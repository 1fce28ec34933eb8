import { List, Paper, Text, Title } from '@mantine/core';
import { texts } from '../../../texts';
import { exactTime, Moment } from '../../../ui/moment';
import { type DeliveryDetails, isOpen } from '../webhook-queries';

const words = texts.deliveries;

/** The attempts to come, or that there is none. */
export function WhatNext({ delivery }: { delivery: DeliveryDetails }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={words.whatNext}>
      <Title order={2} mb="xs">
        {words.whatNext}
      </Title>
      {isOpen(delivery.status) ? <Schedule schedule={delivery.schedule} /> : <Text size="sm">{words.over[delivery.status]}</Text>}
    </Paper>
  );
}

function Schedule({ schedule }: Pick<DeliveryDetails, 'schedule'>) {
  if (schedule.length === 0) return <Text size="sm">{words.lastChance}</Text>;
  return (
    <>
      <List size="sm" spacing={4} listStyleType="none" withPadding={false}>
        {schedule.map(({ number, at, afterSeconds }) => (
          <List.Item key={number}>
            <Text span fw={600} size="sm">
              {words.nextAttempt(number)}
            </Text>
            {': '}
            {at !== null ? (
              <>
                {Date.parse(at) <= Date.now() ? words.nextAtOnce : <Moment at={at} />} ({exactTime(at)})
              </>
            ) : afterSeconds !== null ? (
              words.afterFailure(words.durations(afterSeconds))
            ) : (
              words.nextHeld
            )}
          </List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed" mt="sm">
        {words.lastChance}
      </Text>
    </>
  );
}
