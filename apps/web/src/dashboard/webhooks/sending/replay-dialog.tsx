import { Alert, Button, Group, MultiSelect, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { EVENT_GROUPS } from '../../../api/event-types';
import { choices, shortDuration, t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { DateTimeInput } from '../../../ui/date-time-input';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { webhookQueryKey, type Webhook, type WebhookKey } from '../webhook-queries';
import { replay, REPLAY_RATE_PER_SECOND, type ReplayChoice, type ReplayOptions } from './replay';
import { ReplayProgress } from './replay-progress';
import { WaitingDeliveries } from './waiting-deliveries';
import { dialogs } from '../../../ui/dialogs';

const EVENT_CHOICES = EVENT_GROUPS.map(({ name, wildcard, types }) => ({ group: name, items: [wildcard, ...types] }));

/** Opens the dialog that replays deliveries: select, count, replay. */
export function openReplayDialog(
  key: WebhookKey,
  webhook: Webhook,
  options: Partial<ReplayOptions> & Pick<ReplayOptions, 'since'>,
): void {
  const dialogId = dialogs.open({
    title: t('deliveries.replayTitle'),
    size: 'lg',
    children: (
      <ReplayDialog
        webhookKey={key}
        webhook={webhook}
        initial={{ choice: 'failed', eventTypes: [], ...options }}
        onClose={() => dialogs.close(dialogId)}
      />
    ),
  });
}

interface Props {
  readonly webhookKey: WebhookKey;
  readonly webhook: Webhook;
  readonly initial: ReplayOptions;
  readonly onClose: () => void;
}

function ReplayDialog({ webhookKey, webhook, initial, onClose }: Props) {
  const [options, setOptions] = useState(initial);
  const count = useApiMutation({
    mutationFn: (requested: ReplayOptions) => replay(webhookKey, requested, true),
    invalidates: [],
  });
  const send = useApiMutation({
    mutationFn: (requested: ReplayOptions) => replay(webhookKey, requested, false),
    invalidates: [webhookQueryKey(webhookKey)],
  });
  if (send.data !== undefined)
    return <ReplayProgress webhookKey={webhookKey} options={options} count={send.data} onClose={onClose} />;
  const change = (changes: Partial<ReplayOptions>) => {
    setOptions({ ...options, ...changes });
    count.reset();
  };
  return (
    <Stack>
      <Text size="sm">{t('deliveries.replayExplained')}</Text>
      <WaitingDeliveries webhookKey={webhookKey} webhook={webhook} />
      <ReplayFields options={options} onChange={change} />
      <div aria-live="polite">
        {count.data !== undefined && <ReplayEstimate count={count.data} webhook={webhook} choice={options.choice} />}
      </div>
      {(count.error ?? send.error) && <ErrorNotice error={count.error ?? send.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        {count.data ? (
          <Button loading={send.isPending} disabled={!webhook.enabled} onClick={() => send.mutate(options)}>
            {t('deliveries.replayGo', { number: count.data })}
          </Button>
        ) : (
          // Sets the end of the period, so that the replay sends exactly the counted deliveries.
          <Button
            loading={count.isPending}
            disabled={validatePeriod(options) !== undefined}
            onClick={() => {
              const fixedPeriod = { ...options, until: options.until ?? new Date().toISOString() };
              setOptions(fixedPeriod);
              count.mutate(fixedPeriod);
            }}
          >
            {t('deliveries.replayCount')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function ReplayFields({ options, onChange }: { options: ReplayOptions; onChange: (changes: Partial<ReplayOptions>) => void }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DateTimeInput
          label={t('deliveries.since')}
          value={options.since || undefined}
          onChange={(since) => onChange({ since: since ?? '' })}
          error={validatePeriod(options)}
          required
        />
        <DateTimeInput label={t('deliveries.until')} value={options.until} onChange={(until) => onChange({ until })} />
      </SimpleGrid>
      <Radio.Group label={t('deliveries.replayWhich')} value={options.choice} onChange={(choice) => onChange({ choice: choice })}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
          {choices('deliveries.replayChoices').map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <MultiSelect
        label={t('deliveries.replayEvents')}
        placeholder={options.eventTypes.length === 0 ? t('deliveries.replayEventsAll') : undefined}
        data={EVENT_CHOICES}
        value={[...options.eventTypes]}
        onChange={(eventTypes) => onChange({ eventTypes })}
        searchable
        clearable
      />
    </>
  );
}

function ReplayEstimate({ count, webhook, choice }: { count: number; webhook: Webhook; choice: ReplayChoice }) {
  if (count === 0) return <Alert color="gray">{t('deliveries.replayCounted', { number: 0 })}</Alert>;
  const perSecond = Math.min(REPLAY_RATE_PER_SECOND, webhook.rateLimit ?? REPLAY_RATE_PER_SECOND);
  return (
    <Alert title={t('deliveries.replayCounted', { number: count })}>
      <Stack gap={4}>
        <Text size="sm">{t('deliveries.replayDuration', { time: shortDuration(Math.max(1, count / perSecond)) })}</Text>
        {choice === 'all' && <Text size="sm">{t('deliveries.replayAllWarning')}</Text>}
        {!webhook.enabled && <Text size="sm">{t('deliveries.replayWhileDisabled')}</Text>}
      </Stack>
    </Alert>
  );
}

function validatePeriod({ since, until }: ReplayOptions): string | undefined {
  if (since === '') return t('deliveries.sinceRequired');
  return Date.parse(since) >= (until ? Date.parse(until) : Date.now()) ? t('deliveries.sinceAfterUntil') : undefined;
}
