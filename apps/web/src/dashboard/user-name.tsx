import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { userQuery } from './access/user-picker';
import { useOrganizationId } from './organization';
import { useMay } from './permissions';

/** Who a user id belongs to; those whom the caller may not see stay an id. */
export function UserName({ id }: { id: string }) {
  const mayRead = useMay('users:read');
  const { data } = useQuery({ ...userQuery(useOrganizationId(), id), enabled: mayRead, retry: false, staleTime: 60_000 });
  return data ? <span className="breakable">{data.email}</span> : <Code>{id}</Code>;
}
