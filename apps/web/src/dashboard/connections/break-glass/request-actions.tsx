import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../../app/session';
import { t } from '../../../texts';
import { ActionButton } from '../../../ui/action-button';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import { type BreakGlassRequest, POLL_MS, useEmergencyAccess } from './break-glass-queries';
import { confirmApproval, openDenyDialog } from './decide-request';
import { confirmEnd } from './end-request';

/** The actions on a pending or approved request, with the reason why an action is disabled. */
export function RequestActions({ request }: { request: BreakGlassRequest }) {
  const org = useOrganizationId();
  const { data: session } = useQuery(sessionQuery);
  const canApprove = useHasPermission('break_glass:approve');
  const hasEmergencyAccess = useEmergencyAccess(org, POLL_MS) !== undefined;
  const isOwn = request.requesterId === session?.user?.id;
  if (request.status !== 'pending' && request.status !== 'approved') return null;
  const canEnd = isOwn || canApprove;
  const reason = disabledReasonOf({ isOwn, canApprove, hasEmergencyAccess });
  return (
    <Group gap="xs" wrap="nowrap" role="group" aria-label={t('breakGlass.actionsOf', { who: request.requesterEmail })}>
      {request.status === 'pending' && (
        <>
          <ActionButton size="xs" disabledReason={reason} onClick={() => confirmApproval(org, request)}>
            {t('breakGlass.approve')}
          </ActionButton>
          <ActionButton size="xs" variant="default" disabledReason={reason} onClick={() => openDenyDialog(org, request)}>
            {t('breakGlass.deny')}
          </ActionButton>
        </>
      )}
      {canEnd && (
        <ActionButton size="xs" variant="light" color="red" onClick={() => confirmEnd(org, request, isOwn)}>
          {t('breakGlass.end')}
        </ActionButton>
      )}
    </Group>
  );
}

function disabledReasonOf({
  isOwn,
  canApprove,
  hasEmergencyAccess,
}: Record<'isOwn' | 'canApprove' | 'hasEmergencyAccess', boolean>) {
  if (isOwn) return t('breakGlass.ownRequest');
  if (!canApprove) return t('breakGlass.cannotApprove');
  return hasEmergencyAccess ? t('breakGlass.hasAccess') : undefined;
}
