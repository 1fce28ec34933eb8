import { Alert, Button, Group, MultiSelect, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import { EVENT_GROUPS } from '../../../api/event-types';
import { texts } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { TimeField } from '../../../ui/time-field';
import { useChange } from '../../../ui/use-change';
import { aboutWebhook, type Webhook, type WebhookKey } from '../webhook-queries';
import { replay, REPLAYED_PER_SECOND, type ReplayChoice, type ReplayWish } from './replay';
import { ReplayProgress } from './replay-progress';

const words = texts.deliveries;
const CHOICES = Object.entries(words.replayChoices) as [ReplayChoice, string][];
const EVENT_CHOICES = EVENT_GROUPS.map(({ name, wildcard, types }) => ({ group: name, items: [wildcard, ...types] }));

/** Asks what to send again, counts it, and sends it once the count was seen. */
export function openReplay(key: WebhookKey, webhook: Webhook, wish: Partial<ReplayWish> & Pick<ReplayWish, 'since'>): void {
  const modalId = modals.open({
    title: words.replayTitle,
    size: 'lg',
    closeButtonProps: { 'aria-label': texts.common.close },
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
      <Text size="sm">{words.replayExplained}</Text>
      <ReplayFields wish={wish} onChange={change} />
      <div aria-live="polite">
        {count.data !== undefined && <Counted count={count.data} webhook={webhook} choice={wish.choice} />}
      </div>
      {(count.error ?? send.error) && <ErrorNotice error={count.error ?? send.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {texts.common.cancel}
        </Button>
        {count.data ? (
          <Button loading={send.isPending} disabled={!webhook.enabled} onClick={() => send.mutate(wish)}>
            {words.replayGo(count.data)}
          </Button>
        ) : (
          // What is counted is what is sent: events that happen in between are left out.
          <Button
            loading={count.isPending}
            disabled={complaintAbout(wish) !== undefined}
            onClick={() => {
              const fixed = { ...wish, until: wish.until ?? new Date().toISOString() };
              setWish(fixed);
              count.mutate(fixed);
            }}
          >
            {words.replayCount}
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
          label={words.since}
          value={wish.since || undefined}
          onChange={(since) => onChange({ since: since ?? '' })}
          error={complaintAbout(wish)}
          required
        />
        <TimeField label={words.until} value={wish.until} onChange={(until) => onChange({ until })} />
      </SimpleGrid>
      <Radio.Group
        label={words.replayWhich}
        value={wish.choice}
        onChange={(choice) => onChange({ choice: choice as ReplayChoice })}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
          {CHOICES.map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <MultiSelect
        label={words.replayEvents}
        placeholder={wish.eventTypes.length === 0 ? words.replayEventsAll : undefined}
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
  if (count === 0) return <Alert color="gray">{words.replayCounted(0)}</Alert>;
  const perSecond = Math.min(REPLAYED_PER_SECOND, webhook.rateLimit ?? REPLAYED_PER_SECOND);
  return (
    <Alert title={words.replayCounted(count)}>
      <Stack gap={4}>
        <Text size="sm">{words.replayDuration(words.durations(Math.max(1, count / perSecond)))}</Text>
        {choice === 'all' && <Text size="sm">{words.replayAllWarning}</Text>}
        {!webhook.enabled && <Text size="sm">{words.replayWhileOff}</Text>}
      </Stack>
    </Alert>
  );
}

function complaintAbout({ since, until }: ReplayWish): string | undefined {
  if (since === '') return words.sinceRequired;
  return Date.parse(since) >= (until ? Date.parse(until) : Date.now()) ? words.sinceAfterUntil : undefined;
}
