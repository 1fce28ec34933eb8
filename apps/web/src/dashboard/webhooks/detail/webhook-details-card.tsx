import { Badge, Code, Group, Paper, Title } from '@mantine/core';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { RelativeTime } from '../../../ui/relative-time';
import { UserName } from '../../user-name';
import { DetailsTable } from '../details-table';
import { SuccessRate } from '../list/success-rate';
import type { Webhook } from '../webhook-queries';

export function WebhookDetailsCard({ webhook }: { webhook: Webhook }) {
  const headers = Object.keys(webhook.headers);
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('webhooks.overview.details')}>
      <Title order={2} mb="sm">
        {t('webhooks.overview.details')}
      </Title>
      <DetailsTable
        label={t('webhooks.overview.details')}
        details={[
          [t('webhooks.overview.id'), <CopyField key="id" value={webhook.id} label={t('webhooks.overview.id')} />],
          [t('webhooks.overview.url'), <CopyField key="url" value={webhook.url} label={t('webhooks.overview.url')} />],
          [t('webhookForm.format'), t(`webhookForm.formats.${webhook.format}`)],
          [
            t('webhooks.events'),
            <Group key="events" gap={4}>
              {webhook.events.map((event) => (
                <Badge key={event} variant="default" tt="none" fw={500}>
                  {event === '*' ? t('webhooks.allEvents') : event}
                </Badge>
              ))}
            </Group>,
          ],
          [t('webhooks.overview.filter'), webhook.filter && <Code key="filter">{JSON.stringify(webhook.filter)}</Code>],
          [
            t('webhooks.overview.descendants'),
            webhook.includeDescendants ? t('webhooks.overview.descendantsYes') : t('webhooks.overview.descendantsNo'),
          ],
          [t('webhooks.overview.headers'), headers.join(', ')],
          [
            t('webhooks.overview.rateLimit'),
            webhook.rateLimit ? t('webhooks.overview.perSecond', { limit: webhook.rateLimit }) : t('webhooks.overview.unlimited'),
          ],
          [t('webhooks.overview.secret'), <Code key="secret">{webhook.secret}</Code>],
          [t('webhooks.successRate'), <SuccessRate key="rate" rate={webhook.metadata.successRate} />],
          [t('webhooks.failuresInARow'), webhook.metadata.failureCount],
          [t('webhooks.lastDelivery'), <RelativeTime key="last" at={webhook.metadata.lastDelivery} />],
          [t('webhooks.overview.owner'), webhook.ownerId && <UserName key="owner" id={webhook.ownerId} />],
          [t('webhooks.overview.created'), <RelativeTime key="created" at={webhook.createdAt} />],
          [t('webhooks.overview.changed'), <RelativeTime key="changed" at={webhook.updatedAt} />],
        ]}
      />
    </Paper>
  );
}
