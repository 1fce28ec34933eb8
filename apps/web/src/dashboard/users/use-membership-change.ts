import { answerOf, api, type Schema } from '../../api/client';
import { useChange } from '../../ui/use-change';
import { membersKey, usersKey } from './user-queries';

/** Adds a member, or changes the role of a member. */
export function useMembershipChange(org: string, done: (role: string) => string, onDone: () => void) {
  return useChange({
    run: async (body: Schema<'AddMemberRequest'>) =>
      (await answerOf(api.POST('/v1/organizations/{org}/members', { params: { path: { org } }, body }))).data.role,
    outdates: [membersKey(org), usersKey(org), ['user', org], ['organization', org]],
    done,
    onDone,
  });
}
