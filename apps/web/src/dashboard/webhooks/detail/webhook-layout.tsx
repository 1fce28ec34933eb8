import { Anchor, Button, Skeleton } from '@mantine/core';
import { PaperAirplaneIcon, RedoIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { PageHeader } from '../../../ui/page-header';
import { PageTabs } from '../../../ui/page-tabs';
import { useHasPermission } from '../../permissions';
import { WebhookStatus } from '../list/webhook-status';
import { startOf } from '../search';
import { openReplayDialog } from '../sending/replay-dialog';
import { openTestDialog } from '../sending/test-dialog';
import { WaitingDeliveries } from '../sending/waiting-deliveries';
import { backlogQuery, useWebhookKey, type Webhook, type WebhookKey, webhookQuery } from '../webhook-queries';
import { DisabledBanner } from './disabled-banner';

export function WebhookLayout() {
  const key = useWebhookKey();
  const query = useQuery(webhookQuery(key));
  // Banners above the tabs need it: shown later, they would move the page.
  const backlog = useQuery(backlogQuery(key));
  const canWrite = useHasPermission('webhooks:write');
  if (query.error && !query.data)
    return (
      <>
        <PageHeader title={t('webhooks.title')} />
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      </>
    );
  if (!query.data || backlog.isPending) return <Skeleton h={220} />;
  const webhook = query.data;
  const base = `/dashboard/organizations/${key.org}/webhooks`;
  return (
    <>
      <Anchor component={Link} to={base} size="sm">
        ← {t('webhooks.title')}
      </Anchor>
      <PageHeader
        title={webhook.name}
        badge={<WebhookStatus webhook={webhook} withTime={false} />}
        description={<span className="breakable">{webhook.url}</span>}
        actions={canWrite && <Actions webhookKey={key} webhook={webhook} />}
      />
      <DisabledBanner webhookKey={key} webhook={webhook} />
      {canWrite && <WaitingDeliveries webhookKey={key} webhook={webhook} mb="lg" />}
      <PageTabs
        label={t('webhooks.tabs.label')}
        tabs={[
          { label: t('webhooks.tabs.overview'), to: `${base}/${key.id}` },
          { label: t('webhooks.tabs.deliveries'), to: `${base}/${key.id}/deliveries` },
          { label: t('webhooks.tabs.reconciliation'), to: `${base}/${key.id}/reconciliation` },
          { label: t('webhooks.tabs.signing'), to: `${base}/${key.id}/signing` },
          { label: t('webhooks.tabs.settings'), to: `${base}/${key.id}/settings` },
        ]}
      />
      <Outlet />
    </>
  );
}

function Actions({ webhookKey, webhook }: { webhookKey: WebhookKey; webhook: Webhook }) {
  const navigate = useNavigate();
  return (
    <>
      <Button
        variant="default"
        leftSection={<PaperAirplaneIcon size={16} />}
        onClick={() => openTestDialog(webhookKey, webhook, (path) => void navigate({ to: path }))}
      >
        {t('webhooks.sendTest')}
      </Button>
      <Button
        variant="default"
        leftSection={<RedoIcon size={16} />}
        onClick={() => openReplayDialog(webhookKey, webhook, { since: startOf('24h') })}
      >
        {t('webhooks.replay')}
      </Button>
    </>
  );
}
