import { Code, Stack, Text, Title } from '@mantine/core';
import { WebhookIcon } from '@primer/octicons-react';
import { t } from '../../../texts';
import { EmptyState } from '../../../ui/empty-state';
import type { Move } from './move';
import { PartialTable } from './partial-table';

type Webhook = Move['webhooks']['gained'][number];

/** Lists the webhooks of ancestors that begin or stop receiving events of the moved organizations. */
export function WebhooksTab({ move: { webhooks } }: { move: Move }) {
  if (webhooks.gained.length + webhooks.lost.length === 0)
    return (
      <EmptyState icon={WebhookIcon} title={t('organization.move.webhooks.emptyTitle')}>
        {t('organization.move.webhooks.empty')}
      </EmptyState>
    );
  return (
    <Stack gap="lg">
      <Webhooks title={t('organization.move.webhooks.gained')} rows={webhooks.gained} />
      <Webhooks title={t('organization.move.webhooks.lost')} rows={webhooks.lost} />
    </Stack>
  );
}

function Webhooks({ title, rows }: { title: string; rows: readonly Webhook[] }) {
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('organization.move.webhooks.none')}</Text>
      ) : (
        <PartialTable<Webhook>
          label={title}
          columns={[t('organization.move.webhooks.webhook'), t('common.organization')]}
          rows={rows}
          rowId={({ id }) => id}
          cells={({ id, name, organizationName }) => [
            name === null ? <Code key="name">{id}</Code> : <span key="name">{name}</span>,
            organizationName,
          ]}
        />
      )}
    </section>
  );
}
