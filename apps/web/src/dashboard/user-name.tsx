import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../app/session';
import { userQuery } from './access/user-picker';
import { useOrganizationId } from './organization';
import { useMay } from './permissions';

/** Who a user id belongs to; those whom the caller may not see stay an id. */
export function UserName({ id }: { id: string }) {
  const mayRead = useMay('users:read');
  const { data: session } = useQuery(sessionQuery);
  const isSelf = session?.user?.id === id;
  const other = useQuery({ ...userQuery(useOrganizationId(), id), enabled: mayRead && !isSelf, retry: false, staleTime: 60_000 });
  const email = isSelf ? session.user?.email : other.data?.email;
  return email ? <span className="breakable">{email}</span> : <Code className="breakable">{id}</Code>;
}
