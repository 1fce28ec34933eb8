import { Menu, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { sessionQuery } from '../../app/session';
import { t } from '../../texts';
import { DialogButtons } from '../../ui/dialog-buttons';
import { ErrorNotice } from '../../ui/error-notice';
import { notifySuccess } from '../../ui/notify';
import { useApiMutation } from '../../ui/use-api-mutation';
import { impersonationsKey, startImpersonation } from '../connections/impersonations/impersonation-queries';
import { type ReasonAndDuration, reasonAndDuration, ReasonAndDurationFields } from '../connections/reason-and-duration';
import { useHasPermission } from '../permissions';
import { nameOf, type User } from './user-queries';
import { dialogs } from '../../ui/dialogs';

const DEFAULT_DURATION_SECONDS = '1800';

/** Returns whether the signed-in user can ask to sign in as a user. The service also compares what both have. */
export function useCanImpersonate({ id, status }: User): boolean {
  const { data: session } = useQuery(sessionQuery);
  const hasPermission = useHasPermission('users:impersonate');
  const own = session?.user;
  return hasPermission && status === 'active' && own != null && own.id !== id && !own.session.impersonator;
}

export const ImpersonationItem = ({ org, user }: { org: string; user: User }) => (
  <Menu.Item onClick={() => openImpersonationDialog(org, user)}>{t('impersonation.signInAs', { name: nameOf(user) })}</Menu.Item>
);

/** Opens the dialog that asks why, and for how long, the caller signs in as a user. */
function openImpersonationDialog(org: string, user: User): void {
  const dialogId = dialogs.open({
    title: t('impersonation.signInAs', { name: nameOf(user) }),
    children: <ImpersonationForm org={org} userId={user.id} onClose={() => dialogs.close(dialogId)} />,
  });
}

function ImpersonationForm({ org, userId, onClose }: { org: string; userId: string; onClose: () => void }) {
  const form = useForm(reasonAndDuration(DEFAULT_DURATION_SECONDS));
  const send = useApiMutation({
    mutationFn: async ({ reason, duration }: ReasonAndDuration) => {
      const body = { reason: reason.trim(), durationSeconds: Number(duration) };
      const params = { path: { org, userId } };
      const { data } = await unwrap(api.POST('/v1/organizations/{org}/users/{userId}/impersonations', { params, body }));
      if (data.status === 'approved') await startImpersonation(data);
      else notifySuccess(t('impersonation.requested'));
    },
    invalidates: [impersonationsKey(org)],
    onSuccess: onClose,
  });
  return (
    <form onSubmit={form.onSubmit((fields) => send.mutate(fields))}>
      <Stack>
        <Text size="sm">{t('impersonation.signInText')}</Text>
        <ReasonAndDurationFields form={form} durations="impersonation.durations" reasonHint={t('impersonation.reasonHint')} />
        {send.error && <ErrorNotice error={send.error} />}
        <DialogButtons submitLabel={t('impersonation.signIn')} isPending={send.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
