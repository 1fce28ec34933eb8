import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../app/session';
import { userQuery } from './access/user-picker';
import { useOrganizationId } from './organization';
import { useHasPermission } from './permissions';

/** Shows the email address of a user, or the id when the caller can't see the user. */
export function UserName({ id }: { id: string }) {
  const canRead = useHasPermission('users:read');
  const { data: session } = useQuery(sessionQuery);
  const isSelf = session?.user?.id === id;
  const otherUser = useQuery({
    ...userQuery(useOrganizationId(), id),
    enabled: canRead && !isSelf,
    retry: false,
    staleTime: 60_000,
  });
  const email = isSelf ? session.user?.email : otherUser.data?.email;
  return email ? <span className="breakable">{email}</span> : <Code className="breakable">{id}</Code>;
}
