import { api, unwrap } from '../../api/client';
import { queryClient } from '../../app/query-client';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { notifySuccess } from '../../ui/notify';
import { approvalsKey, grantsKey } from './application-queries';

/** Decides about an application from outside, after a confirmation that says what follows. */
export function confirmDecision(org: string, id: string, application: string, decision: 'approve' | 'deny' | 'revoke'): void {
  const params = { path: { org, id } };
  const send = {
    approve: () => unwrap(api.POST('/v1/organizations/{org}/application-approvals/{id}/approve', { params })),
    deny: () => unwrap(api.POST('/v1/organizations/{org}/application-approvals/{id}/deny', { params, body: {} })),
    revoke: () => unwrap(api.POST('/v1/organizations/{org}/application-approvals/{id}/revoke', { params, body: {} })),
  }[decision];
  const done = { approve: 'approved', deny: 'denied', revoke: 'revoked' } as const;
  confirm({
    title: t(`applications.requests.${decision}Title`, { application }),
    consequences: t(`applications.requests.${decision}Text`),
    confirmLabel: t(`applications.requests.${decision}`),
    isDangerous: decision !== 'approve',
    action: async () => {
      await send();
      await queryClient.invalidateQueries({ queryKey: approvalsKey(org) });
      await queryClient.invalidateQueries({ queryKey: grantsKey(org) });
      notifySuccess(t(`applications.requests.${done[decision]}`));
    },
  });
}
