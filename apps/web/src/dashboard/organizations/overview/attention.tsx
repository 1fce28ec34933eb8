import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../../api/client';
import { t } from '../../../texts';
import { formatDateTime } from '../../../ui/format-date-time';
import { RelativeTime } from '../../../ui/relative-time';
import { requestsQuery } from '../../connections/break-glass/break-glass-queries';
import { domainsQuery } from '../../connections/domains/domain-queries';
import { scimConnectionsQuery } from '../../connections/scim/scim-queries';
import { useHasPermission, useHasPermissions } from '../../permissions';
import { adviceFor } from '../../webhooks/delivery/advice';
import { isFailing } from '../../webhooks/list/webhook-status';
import type { Webhook } from '../../webhooks/webhook-queries';
import { Hint, HintLink } from './hint';
import { attentionKeysQuery, pendingApprovalsQuery } from './overview-queries';

interface Props {
  readonly org: string;
  readonly webhooks: readonly Webhook[];
}

/** Lists what fails, expires or waits for a decision in the organization, each with a link to the page that solves it. */
export function Attention({ org, webhooks }: Props) {
  return (
    <>
      <FailingWebhooks org={org} webhooks={webhooks.filter(isFailing)} />
      <FlaggedWebhooks org={org} webhooks={webhooks.filter(({ enabled, flag }) => enabled && flag)} />
      <Keys org={org} />
      <Connections org={org} />
      <Decisions org={org} />
    </>
  );
}

function FailingWebhooks({ org, webhooks }: Props) {
  if (webhooks.length === 0) return null;
  return (
    <Hint isUrgent title={t('organization.hints.webhooksFailing', { count: webhooks.length })}>
      <Items>
        {webhooks.map(({ id, name, metadata: { lastFailure, failingSince } }) => (
          <List.Item key={id}>
            <HintLink to={`/dashboard/organizations/${org}/webhooks/${id}`} label={name} />
            {lastFailure && `: ${adviceFor(lastFailure).title}`}
            {failingSince && ` (${t('organization.hints.since', { time: formatDateTime(failingSince) })})`}
          </List.Item>
        ))}
      </Items>
    </Hint>
  );
}

function FlaggedWebhooks({ org, webhooks }: Props) {
  if (webhooks.length === 0) return null;
  return (
    <Hint title={t('organization.hints.webhooksFlagged', { count: webhooks.length })}>
      <Items>
        {webhooks.map(({ id, name, flag }) => (
          <List.Item key={id}>
            <HintLink to={`/dashboard/organizations/${org}/webhooks/${id}`} label={name} />
            {flag && `: ${t(`webhooks.banner.flags.${flag}`)}`}
          </List.Item>
        ))}
      </Items>
    </Hint>
  );
}

function Keys({ org }: { org: string }) {
  const { data } = useQuery({ ...attentionKeysQuery(org), enabled: useHasPermission('api_keys:read') });
  const { expiring = [], flagged = [] } = data ?? {};
  const page = <HintLink to={`/dashboard/organizations/${org}/api-keys`} label={t('organization.hints.showApiKeys')} />;
  return (
    <>
      {expiring.length > 0 && (
        <Hint title={t('organization.hints.keysExpiring', { count: expiring.length })}>
          <Items>
            {expiring.map(({ id, name, expiresAt }) => (
              <List.Item key={id}>
                {name}: <RelativeTime at={expiresAt} />
              </List.Item>
            ))}
          </Items>
          {page}
        </Hint>
      )}
      {flagged.length > 0 && (
        <Hint
          title={t('organization.hints.keysFlagged', { count: flagged.length })}
          explained={flagged.map(({ name }) => name).join(', ')}
        >
          {page}
        </Hint>
      )}
    </>
  );
}

function Connections({ org }: { org: string }) {
  const scope = { client: api, org };
  const directories = useQuery({ ...scimConnectionsQuery(scope), enabled: useHasPermission('scim:read') });
  const domains = useQuery({ ...domainsQuery(scope), enabled: useHasPermission('domains:read') });
  const lost = domains.data?.data.filter(({ status }) => status === 'failed') ?? [];
  return (
    <>
      {directories.data?.data
        .filter(({ mode }) => mode === 'stopped')
        .map(({ id, name }) => (
          <Hint
            key={id}
            isUrgent
            title={t('organization.hints.scimStopped', { name })}
            explained={t('organization.hints.scimStoppedExplained')}
          >
            <HintLink to={`/dashboard/organizations/${org}/scim/${id}`} label={t('organization.hints.showScim')} />
          </Hint>
        ))}
      {lost.length > 0 && (
        <Hint
          isUrgent
          title={t('organization.hints.domainsLost', { names: lost.map(({ name }) => name).join(', ') })}
          explained={t('organization.hints.domainsLostExplained')}
        >
          <HintLink to={`/dashboard/organizations/${org}/domains`} label={t('organization.hints.showDomains')} />
        </Hint>
      )}
    </>
  );
}

function Decisions({ org }: { org: string }) {
  const approvals = useQuery({ ...pendingApprovalsQuery(org), enabled: useHasPermission('application_approvals:read') });
  const requests = useQuery({
    ...requestsQuery(org, { status: 'pending' }),
    enabled: useHasPermissions(['break_glass:request', 'break_glass:approve']),
  });
  const waiting = requests.data?.pagination.total ?? 0;
  const { data: applications = 0 } = approvals;
  return (
    <>
      {waiting > 0 && (
        <Hint isUrgent title={t('organization.hints.breakGlass', { count: waiting })}>
          <HintLink to={`/dashboard/organizations/${org}/break-glass`} label={t('organization.hints.decide')} />
        </Hint>
      )}
      {applications > 0 && (
        <Hint title={t('organization.hints.approvals', { count: applications })}>
          <HintLink to={`/dashboard/organizations/${org}/applications/requests`} label={t('organization.hints.decide')} />
        </Hint>
      )}
    </>
  );
}

const Items = ({ children }: { children: ReactNode }) => (
  <Text size="sm" component="div">
    <List size="sm">{children}</List>
  </Text>
);
