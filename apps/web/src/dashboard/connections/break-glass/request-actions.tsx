import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../../app/session';
import { t } from '../../../texts';
import { ReasonedButton } from '../../../ui/reasoned-button';
import { useOrganizationId } from '../../organization';
import { useMay } from '../../permissions';
import { type BreakGlassRequest, POLL_MS, useOwnGrant } from './break-glass-queries';
import { askToApprove, askToDeny } from './decide-request';
import { askToEnd } from './end-request';

/** The actions on a pending or approved request, with the reason for disabled ones. */
export function RequestActions({ request }: { request: BreakGlassRequest }) {
  const org = useOrganizationId();
  const { data: session } = useQuery(sessionQuery);
  const mayApprove = useMay('break_glass:approve');
  const isBorrowed = useOwnGrant(org, POLL_MS) !== undefined;
  const isOwn = request.requesterId === session?.user?.id;
  if (request.status !== 'pending' && request.status !== 'approved') return null;
  const mayEnd = isOwn || mayApprove;
  const reason = whyNotDecide({ isOwn, mayApprove, isBorrowed });
  return (
    <Group gap="xs" wrap="nowrap" role="group" aria-label={t('breakGlass.actionsOf', { who: request.requesterEmail })}>
      {request.status === 'pending' && (
        <>
          <ReasonedButton size="xs" reason={reason} onClick={() => askToApprove(org, request)}>
            {t('breakGlass.approve')}
          </ReasonedButton>
          <ReasonedButton size="xs" variant="default" reason={reason} onClick={() => askToDeny(org, request)}>
            {t('breakGlass.deny')}
          </ReasonedButton>
        </>
      )}
      {mayEnd && (
        <ReasonedButton size="xs" variant="light" color="red" onClick={() => askToEnd(org, request, isOwn)}>
          {t('breakGlass.end')}
        </ReasonedButton>
      )}
    </Group>
  );
}

function whyNotDecide({ isOwn, mayApprove, isBorrowed }: Record<'isOwn' | 'mayApprove' | 'isBorrowed', boolean>) {
  if (isOwn) return t('breakGlass.ownRequest');
  if (!mayApprove) return t('breakGlass.mayNotApprove');
  return isBorrowed ? t('breakGlass.borrowed') : undefined;
}
