import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { useApiMutation } from '../../ui/use-api-mutation';
import { membersKey, usersKey } from './user-queries';

interface Removed {
  readonly userId: string;
  readonly name: string;
}

/** Removes a member after a confirmation. */
export function useMemberRemoval(org: string): (member: Removed) => void {
  const remove = useApiMutation({
    mutationFn: ({ userId, name }: Removed) =>
      unwrap(api.DELETE('/v1/organizations/{org}/members/{userId}', { params: { path: { org, userId } } })).then(() => name),
    invalidates: [membersKey(org), usersKey(org), ['user', org], ['organization', org]],
    successMessage: (name) => t('members.removed', { name }),
  });
  return (member) =>
    confirm({
      title: t('members.removeTitle', { name: member.name }),
      consequences: t('members.removeText'),
      confirmLabel: t('common.remove'),
      isDangerous: true,
      action: () => remove.mutateAsync(member),
    });
}
