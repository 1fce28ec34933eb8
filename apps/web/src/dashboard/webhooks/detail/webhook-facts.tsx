import { Badge, Code, Group, Paper, Title } from '@mantine/core';
import { texts } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { Moment } from '../../../ui/moment';
import { UserName } from '../../user-name';
import { Facts } from '../facts';
import { SuccessRate } from '../list/success-rate';
import type { Webhook } from '../webhook-queries';

const words = texts.webhooks.overview;

/** What a webhook is set to. */
export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const headers = Object.keys(webhook.headers);
  return (
    <Paper withBorder p="lg" component="section" aria-label={words.facts}>
      <Title order={2} mb="sm">
        {words.facts}
      </Title>
      <Facts
        label={words.facts}
        facts={[
          [words.id, <CopyField key="id" value={webhook.id} label={words.id} />],
          [words.url, <CopyField key="url" value={webhook.url} label={words.url} />],
          [
            texts.webhooks.events,
            <Group key="events" gap={4}>
              {webhook.events.map((event) => (
                <Badge key={event} variant="default" tt="none" fw={500}>
                  {event === '*' ? texts.webhooks.allEvents : event}
                </Badge>
              ))}
            </Group>,
          ],
          [words.filter, webhook.filter && <Code key="filter">{JSON.stringify(webhook.filter)}</Code>],
          [words.descendants, webhook.includeDescendants ? words.descendantsYes : words.descendantsNo],
          [words.headers, headers.join(', ')],
          [words.rateLimit, webhook.rateLimit ? words.perSecond(webhook.rateLimit) : words.unlimited],
          [words.secret, <Code key="secret">{webhook.secret}</Code>],
          [texts.webhooks.successRate, <SuccessRate key="rate" rate={webhook.metadata.successRate} />],
          [texts.webhooks.failuresInARow, webhook.metadata.failureCount],
          [texts.webhooks.lastDelivery, <Moment key="last" at={webhook.metadata.lastDelivery} />],
          [words.owner, webhook.ownerId && <UserName key="owner" id={webhook.ownerId} />],
          [words.created, <Moment key="created" at={webhook.createdAt} />],
          [words.changed, <Moment key="changed" at={webhook.updatedAt} />],
        ]}
      />
    </Paper>
  );
}
