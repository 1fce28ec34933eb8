import { Stack, Text } from '@mantine/core';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import { Attention } from './attention';
import { Checklist } from './checklist';
import { Hint, HintLink } from './hint';
import type { LoadedHints } from './hint-queries';

interface Props {
  readonly organization: Schema<'OrganizationResponse'>;
  readonly hints: LoadedHints;
}

/** Lists problems that need attention. Renders nothing without problems. */
export function Hints({ organization, hints }: Props) {
  const { id, parentId, status, suspendedReason } = organization;
  const { ancestors, ownerCount, pendingCount } = hints;
  const base = `/dashboard/organizations/${id}`;
  const suspendedAncestor = ancestors.find((each) => each.status === 'suspended');
  return (
    <Stack gap="sm" mb="md">
      {status === 'suspended' && (
        <Hint isUrgent title={t('organization.hints.suspended')} explained={t('organization.hints.suspendedExplained')}>
          {suspendedReason && <Text size="sm">{t('organization.hints.suspendedReason', { reason: suspendedReason })}</Text>}
        </Hint>
      )}
      {suspendedAncestor && (
        <Hint
          isUrgent
          title={t('organization.hints.suspendedAncestor', { name: suspendedAncestor.name })}
          explained={t('organization.hints.suspendedAncestorExplained')}
        >
          <HintLink
            to={`/dashboard/organizations/${suspendedAncestor.id}`}
            label={t('organization.hints.showSuspended', { name: suspendedAncestor.name })}
          />
        </Hint>
      )}
      {status === 'pending' && (
        <Hint isUrgent title={t('organization.hints.pending')} explained={t('organization.hints.pendingExplained')} />
      )}
      <Attention org={id} notifications={hints.notifications} />
      <Checklist organization={organization} hints={hints} />
      {ownerCount === 0 && parentId === null && (
        <Hint isUrgent title={t('organization.hints.noOwner')} explained={t('organization.hints.noOwnerExplained')}>
          <HintLink to={`${base}/members`} label={t('organization.hints.showMembers')} />
        </Hint>
      )}
      {pendingCount > 0 && (
        <Hint
          title={t('organization.hints.invited', { count: pendingCount })}
          explained={t('organization.hints.invitedExplained')}
        >
          <HintLink to={`${base}/users?status=pending`} label={t('organization.hints.showInvited')} />
        </Hint>
      )}
    </Stack>
  );
}
