import { Button, CopyButton, Tooltip } from '@mantine/core';
import { CheckIcon, RedoIcon, ShieldCheckIcon, TerminalIcon } from '@primer/octicons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { confirm } from '../../../ui/confirm';
import { notifySuccess } from '../../../ui/notify';
import { useHasPermissions } from '../../permissions';
import { sentBody, webhookQueryKey, type DeliveryDetails, type Webhook, type WebhookKey } from '../webhook-queries';
import { curlCommand } from './curl-command';

interface Props {
  readonly webhookKey: WebhookKey;
  readonly webhook: Webhook;
  readonly delivery: DeliveryDetails;
}

export function DeliveryActions({ webhookKey, webhook, delivery }: Props) {
  const canWrite = useHasPermissions(['webhooks:write', 'events:read']);
  const last = delivery.attempts.findLast(({ request }) => request);
  const body = last?.request ? sentBody(last.request, delivery.payload) : null;
  return (
    <>
      {last?.request && body !== null && (
        <CopyButton value={curlCommand(last.request, body)}>
          {({ copied, copy }) => (
            <Tooltip label={t('deliveries.copyAsCurlHint')} multiline maw={260}>
              <Button
                variant="default"
                onClick={copy}
                leftSection={copied ? <CheckIcon size={16} /> : <TerminalIcon size={16} />}
              >
                {copied ? t('common.copied') : t('deliveries.copyAsCurl')}
              </Button>
            </Tooltip>
          )}
        </CopyButton>
      )}
      {last && (
        <Button
          variant="default"
          component={Link}
          to={`/dashboard/organizations/${webhookKey.org}/webhooks/${webhookKey.id}/signing?deliveryId=${delivery.id}&attempt=${last.number}`}
          leftSection={<ShieldCheckIcon size={16} />}
        >
          {t('deliveries.checkSignature')}
        </Button>
      )}
      {canWrite && <RetryButton webhookKey={webhookKey} webhook={webhook} delivery={delivery} />}
    </>
  );
}

function RetryButton({ webhookKey, webhook, delivery }: Props) {
  const client = useQueryClient();
  const disabledReason = disabledReasonFor(webhook, delivery);
  const retry = async () => {
    const path = '/v1/organizations/{org}/webhooks/{id}/deliveries/{deliveryId}/retry';
    await unwrap(api.POST(path, { params: { path: { ...webhookKey, deliveryId: delivery.id } } }));
    await client.invalidateQueries({ queryKey: webhookQueryKey(webhookKey) });
    notifySuccess(t('deliveries.retried'));
  };
  return (
    <Tooltip label={disabledReason} disabled={disabledReason === undefined} events={{ hover: true, focus: true, touch: true }}>
      <Button
        leftSection={<RedoIcon size={16} />}
        // Stays focusable, so that keyboard users can read the reason.
        aria-disabled={disabledReason !== undefined}
        data-disabled={disabledReason !== undefined || undefined}
        title={disabledReason}
        onClick={() =>
          disabledReason === undefined &&
          confirm({
            title: t('deliveries.retryConfirm'),
            consequences: t('deliveries.retryConsequences'),
            confirmLabel: t('deliveries.retryNow'),
            action: retry,
          })
        }
      >
        {t('deliveries.retryNow')}
      </Button>
    </Tooltip>
  );
}

function disabledReasonFor({ enabled }: Webhook, { test, status }: DeliveryDetails): string | undefined {
  if (test) return t('deliveries.retryTest');
  if (!enabled) return t('deliveries.retryWhileDisabled');
  return status === 'delivering' ? t('deliveries.retryUnderWay') : undefined;
}
