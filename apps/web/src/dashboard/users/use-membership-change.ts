import { api, type Schema, unwrap } from '../../api/client';
import { useApiMutation } from '../../ui/use-api-mutation';
import { membersKey, usersKey } from './user-queries';

/** Adds a member, or changes the role of a member. */
export function useMembershipChange(org: string, done: (role: string) => string, onDone: () => void) {
  return useApiMutation({
    mutationFn: async (body: Schema<'AddMemberRequest'>) =>
      (await unwrap(api.POST('/v1/organizations/{org}/members', { params: { path: { org } }, body }))).data.role,
    invalidates: [membersKey(org), usersKey(org), ['user', org], ['organization', org]],
    successMessage: done,
    onSuccess: onDone,
  });
}
