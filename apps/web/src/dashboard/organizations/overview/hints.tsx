import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { AlertIcon, InfoIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import { ancestorsQuery } from '../../organization';
import { useMay } from '../../permissions';
import { ownerCountQuery, userCountQuery, webhooksQuery } from './health';

/** Lists problems that need attention; renders nothing when there are none. */
export function Hints({ organization }: { organization: Schema<'OrganizationResponse'> }) {
  const { id, parentId, status, suspendedReason } = organization;
  const base = `/dashboard/organizations/${id}`;
  const { data: pending = 0 } = useQuery({ ...userCountQuery(id, 'pending'), enabled: useMay('users:read') });
  const { data: webhooks = [] } = useQuery({ ...webhooksQuery(id), enabled: useMay('webhooks:read') });
  const { data: owners } = useQuery({ ...ownerCountQuery(id), enabled: useMay('members:read') });
  const { data: above = [] } = useQuery(ancestorsQuery(id));
  const suspendedAbove = above.find((each) => each.status === 'suspended');
  const off = webhooks.filter(({ disabledReason }) => disabledReason !== null && disabledReason !== 'hand').length;
  return (
    <Stack gap="sm" mb="md">
      {status === 'suspended' && (
        <Hint isGrave title={t('organization.hints.suspended')} explained={t('organization.hints.suspendedExplained')}>
          {suspendedReason && <Text size="sm">{t('organization.hints.suspendedReason', { reason: suspendedReason })}</Text>}
        </Hint>
      )}
      {suspendedAbove && (
        <Hint
          isGrave
          title={t('organization.hints.suspendedAbove', { name: suspendedAbove.name })}
          explained={t('organization.hints.suspendedAboveExplained')}
        >
          <Way
            to={`/dashboard/organizations/${suspendedAbove.id}`}
            label={t('organization.hints.showSuspended', { name: suspendedAbove.name })}
          />
        </Hint>
      )}
      {status === 'pending' && (
        <Hint isGrave title={t('organization.hints.pending')} explained={t('organization.hints.pendingExplained')} />
      )}
      {off > 0 && (
        <Hint
          isGrave
          title={t('organization.hints.webhooksOff', { count: off })}
          explained={t('organization.hints.webhooksOffExplained')}
        >
          <Way to={`${base}/webhooks`} label={t('organization.hints.showWebhooks')} />
        </Hint>
      )}
      {owners === 0 && parentId === null && (
        <Hint isGrave title={t('organization.hints.noOwner')} explained={t('organization.hints.noOwnerExplained')}>
          <Way to={`${base}/members`} label={t('organization.hints.showMembers')} />
        </Hint>
      )}
      {pending > 0 && (
        <Hint title={t('organization.hints.invited', { count: pending })} explained={t('organization.hints.invitedExplained')}>
          <Way to={`${base}/users?status=pending`} label={t('organization.hints.showInvited')} />
        </Hint>
      )}
    </Stack>
  );
}

interface Props {
  readonly title: string;
  readonly explained: string;
  readonly isGrave?: boolean;
  readonly children?: ReactNode;
}

function Hint({ title, explained, isGrave, children }: Props) {
  const Sign = isGrave ? AlertIcon : InfoIcon;
  return (
    <Alert color={isGrave ? 'orange' : 'indigo'} icon={<Sign size={20} />} title={title}>
      <Text size="sm">{explained}</Text>
      {children}
    </Alert>
  );
}

const Way = ({ to, label }: { to: string; label: string }) => (
  <Anchor component={Link} to={to} size="sm" fw={600} underline="always" c="inherit">
    {label}
  </Anchor>
);
