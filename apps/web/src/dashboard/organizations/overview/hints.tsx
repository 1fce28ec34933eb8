import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schema } from '../../../api/client';
import { texts } from '../../../texts';
import { ancestorsQuery } from '../../organization';
import { useMay } from '../../permissions';
import { ownerCountQuery, userCountQuery, webhooksQuery } from './health';

const words = texts.organization.hints;

/** What somebody should look after; nothing when all is well. */
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
        <Hint isGrave title={words.suspended} explained={words.suspendedExplained}>
          {suspendedReason && <Text size="sm">{words.suspendedReason(suspendedReason)}</Text>}
        </Hint>
      )}
      {suspendedAbove && (
        <Hint isGrave title={words.suspendedAbove(suspendedAbove.name)} explained={words.suspendedAboveExplained}>
          <Way to={`/dashboard/organizations/${suspendedAbove.id}`} label={words.showSuspended(suspendedAbove.name)} />
        </Hint>
      )}
      {status === 'pending' && <Hint isGrave title={words.pending} explained={words.pendingExplained} />}
      {off > 0 && (
        <Hint isGrave title={words.webhooksOff(off)} explained={words.webhooksOffExplained}>
          <Way to={`${base}/webhooks`} label={words.showWebhooks} />
        </Hint>
      )}
      {owners === 0 && parentId === null && (
        <Hint isGrave title={words.noOwner} explained={words.noOwnerExplained}>
          <Way to={`${base}/members`} label={words.showMembers} />
        </Hint>
      )}
      {pending > 0 && (
        <Hint title={words.invited(pending)} explained={words.invitedExplained}>
          <Way to={`${base}/users?status=pending`} label={words.showInvited} />
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
  const Sign = isGrave ? IconAlertTriangle : IconInfoCircle;
  return (
    <Alert color={isGrave ? 'orange' : 'indigo'} icon={<Sign aria-hidden />} title={title}>
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
