import { Anchor, Breadcrumbs, Grid, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { eventTitle } from '../../../api/event-types';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { ErrorNotice } from '../../../ui/error-notice';
import { formatDateTime } from '../../../ui/format-date-time';
import { PageHeader } from '../../../ui/page-header';
import { CodeBlock } from '../../../ui/code-block';
import { DeliveryStatusBadge } from '../deliveries/delivery-status';
import { DetailsTable } from '../details-table';
import { type DeliveryDetails, deliveryQuery, useWebhookKey, type WebhookKey, webhookQuery } from '../webhook-queries';
import { formatJson } from './format-json';
import { AttemptTimeline } from './attempt-timeline';
import { DeliveryActions } from './delivery-actions';
import { NextAttempts } from './next-attempts';

export function DeliveryPage() {
  const key = useWebhookKey();
  const { deliveryId = '' } = useParams({ strict: false });
  const query = useQuery(deliveryQuery(key, deliveryId));
  const { data: webhook } = useQuery(webhookQuery(key));
  const base = `/dashboard/organizations/${key.org}/webhooks`;
  if (query.error && !query.data)
    return (
      <>
        <PageHeader title={t('deliveries.delivery')} />
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      </>
    );
  if (!query.data) return <Skeleton h={320} />;
  const delivery = query.data;
  return (
    <>
      <Breadcrumbs component="nav" aria-label={t('deliveries.breadcrumbs')} mb={4} style={{ flexWrap: 'wrap' }}>
        <Anchor component={Link} to={base} size="sm">
          {t('deliveries.backToWebhooks')}
        </Anchor>
        <Anchor component={Link} to={`${base}/${key.id}`} size="sm" className="breakable">
          {webhook?.name ?? key.id}
        </Anchor>
        <Anchor component={Link} to={`${base}/${key.id}/deliveries`} size="sm">
          {t('deliveries.title')}
        </Anchor>
      </Breadcrumbs>
      <PageHeader
        title={delivery.eventType}
        badge={<DeliveryStatusBadge delivery={delivery} />}
        description={`${eventTitle(delivery.eventType)} · ${formatDateTime(delivery.createdAt)}`}
        actions={webhook && <DeliveryActions webhookKey={key} webhook={webhook} delivery={delivery} />}
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <AttemptTimeline attempts={delivery.attempts} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="lg">
            <NextAttempts delivery={delivery} />
            <Payload delivery={delivery} />
            <DeliveryDetailsCard webhookKey={key} delivery={delivery} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Payload({ delivery: { payload } }: { delivery: DeliveryDetails }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('deliveries.payload')}>
      <Title order={2} mb="xs">
        {t('deliveries.payload')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(`deliveries.payloadStates.${payload.state}`)}
      </Text>
      {payload.body !== null && (
        <CodeBlock
          label={t('deliveries.payloadAsJson')}
          value={formatJson(payload.body)}
          copied={payload.body}
          copyLabel={t('deliveries.payloadCopy')}
        />
      )}
    </Paper>
  );
}

function DeliveryDetailsCard({ webhookKey: { org }, delivery }: { webhookKey: WebhookKey; delivery: DeliveryDetails }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('deliveries.details')}>
      <Title order={2} mb="xs">
        {t('deliveries.details')}
      </Title>
      <DetailsTable
        label={t('deliveries.details')}
        details={[
          [t('deliveries.id'), <CopyField key="id" value={delivery.id} label={t('deliveries.id')} />],
          [
            t('deliveries.eventId'),
            delivery.test ? (
              <CopyField key="event" value={delivery.eventId} label={t('deliveries.eventId')} />
            ) : (
              <Anchor
                key="event"
                component={Link}
                to={`/dashboard/organizations/${org}/events?event=${delivery.eventId}`}
                size="sm"
              >
                {delivery.eventId}
              </Anchor>
            ),
          ],
          [t('deliveries.sequenceHeader'), delivery.sequence ?? t('deliveries.noSequence')],
          [t('deliveries.attempts'), delivery.attemptCount],
          [t('deliveries.created'), formatDateTime(delivery.createdAt)],
          [t('deliveries.completed'), delivery.completedAt ? formatDateTime(delivery.completedAt) : t('deliveries.notCompleted')],
        ]}
      />
    </Paper>
  );
}
