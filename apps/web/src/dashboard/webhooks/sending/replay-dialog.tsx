import { Alert, Button, Group, MultiSelect, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import { EVENT_GROUPS } from '../../../api/event-types';
import { choices, shortDuration, t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { TimeField } from '../../../ui/time-field';
import { useChange } from '../../../ui/use-change';
import { aboutWebhook, type Webhook, type WebhookKey } from '../webhook-queries';
import { replay, REPLAYED_PER_SECOND, type ReplayChoice, type ReplayWish } from './replay';
import { ReplayProgress } from './replay-progress';

const EVENT_CHOICES = EVENT_GROUPS.map(({ name, wildcard, types }) => ({ group: name, items: [wildcard, ...types] }));

/** Opens the dialog that replays deliveries: select, count, replay. */
export function openReplay(key: WebhookKey, webhook: Webhook, wish: Partial<ReplayWish> & Pick<ReplayWish, 'since'>): void {
  const modalId = modals.open({
    title: t('deliveries.replayTitle'),
    size: 'lg',
    closeButtonProps: { 'aria-label': t('common.close') },
    children: (
      <ReplayDialog
        webhookKey={key}
        webhook={webhook}
        initial={{ choice: 'failed', eventTypes: [], ...wish }}
        onClose={() => modals.close(modalId)}
      />
    ),
  });
}

interface Props {
  readonly webhookKey: WebhookKey;
  readonly webhook: Webhook;
  readonly initial: ReplayWish;
  readonly onClose: () => void;
}

function ReplayDialog({ webhookKey, webhook, initial, onClose }: Props) {
  const [wish, setWish] = useState(initial);
  const count = useChange({ run: (wanted: ReplayWish) => replay(webhookKey, wanted, true), outdates: [] });
  const send = useChange({
    run: (wanted: ReplayWish) => replay(webhookKey, wanted, false),
    outdates: [aboutWebhook(webhookKey)],
  });
  if (send.data !== undefined) return <ReplayProgress webhookKey={webhookKey} wish={wish} count={send.data} onClose={onClose} />;
  const change = (changes: Partial<ReplayWish>) => {
    setWish({ ...wish, ...changes });
    count.reset();
  };
  return (
    <Stack>
      <Text size="sm">{t('deliveries.replayExplained')}</Text>
      <ReplayFields wish={wish} onChange={change} />
      <div aria-live="polite">
        {count.data !== undefined && <Counted count={count.data} webhook={webhook} choice={wish.choice} />}
      </div>
      {(count.error ?? send.error) && <ErrorNotice error={count.error ?? send.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        {count.data ? (
          <Button loading={send.isPending} disabled={!webhook.enabled} onClick={() => send.mutate(wish)}>
            {t('deliveries.replayGo', { number: count.data })}
          </Button>
        ) : (
          // Fixes the end of the period, so that the replay sends exactly the counted deliveries.
          <Button
            loading={count.isPending}
            disabled={complaintAbout(wish) !== undefined}
            onClick={() => {
              const fixed = { ...wish, until: wish.until ?? new Date().toISOString() };
              setWish(fixed);
              count.mutate(fixed);
            }}
          >
            {t('deliveries.replayCount')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function ReplayFields({ wish, onChange }: { wish: ReplayWish; onChange: (changes: Partial<ReplayWish>) => void }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TimeField
          label={t('deliveries.since')}
          value={wish.since || undefined}
          onChange={(since) => onChange({ since: since ?? '' })}
          error={complaintAbout(wish)}
          required
        />
        <TimeField label={t('deliveries.until')} value={wish.until} onChange={(until) => onChange({ until })} />
      </SimpleGrid>
      <Radio.Group label={t('deliveries.replayWhich')} value={wish.choice} onChange={(choice) => onChange({ choice: choice })}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
          {choices('deliveries.replayChoices').map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <MultiSelect
        label={t('deliveries.replayEvents')}
        placeholder={wish.eventTypes.length === 0 ? t('deliveries.replayEventsAll') : undefined}
        data={EVENT_CHOICES}
        value={[...wish.eventTypes]}
        onChange={(eventTypes) => onChange({ eventTypes })}
        searchable
        clearable
      />
    </>
  );
}

function Counted({ count, webhook, choice }: { count: number; webhook: Webhook; choice: ReplayChoice }) {
  if (count === 0) return <Alert color="gray">{t('deliveries.replayCounted', { number: 0 })}</Alert>;
  const perSecond = Math.min(REPLAYED_PER_SECOND, webhook.rateLimit ?? REPLAYED_PER_SECOND);
  return (
    <Alert title={t('deliveries.replayCounted', { number: count })}>
      <Stack gap={4}>
        <Text size="sm">{t('deliveries.replayDuration', { time: shortDuration(Math.max(1, count / perSecond)) })}</Text>
        {choice === 'all' && <Text size="sm">{t('deliveries.replayAllWarning')}</Text>}
        {!webhook.enabled && <Text size="sm">{t('deliveries.replayWhileOff')}</Text>}
      </Stack>
    </Alert>
  );
}

function complaintAbout({ since, until }: ReplayWish): string | undefined {
  if (since === '') return t('deliveries.sinceRequired');
  return Date.parse(since) >= (until ? Date.parse(until) : Date.now()) ? t('deliveries.sinceAfterUntil') : undefined;
}
