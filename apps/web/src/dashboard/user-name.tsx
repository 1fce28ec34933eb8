import { Anchor, Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../app/session';
import { userQuery } from './access/user-picker';
import { useOrganizationId } from './organization';
import { useHasPermission } from './permissions';

interface Props {
  readonly id: string;
  /** An organization that has the user; without it, the organization of the page. */
  readonly org?: string;
  readonly isLink?: boolean;
}

/** Shows the email address of a user, or the id when the caller can't see the user. */
export function UserName({ id, org, isLink = false }: Props) {
  const currentOrg = useOrganizationId();
  const canRead = useHasPermission('users:read');
  const { data: session } = useQuery(sessionQuery);
  const isSelf = session?.user?.id === id;
  const otherUser = useQuery({
    ...userQuery(org ?? currentOrg, id),
    enabled: canRead && !isSelf,
    retry: false,
    staleTime: 60_000,
  });
  const email = isSelf ? session.user?.email : otherUser.data?.email;
  if (!email) return <Code className="breakable">{id}</Code>;
  if (!isLink || !canRead) return <span className="breakable">{email}</span>;
  return (
    <Anchor component={Link} to={`/dashboard/organizations/${org ?? currentOrg}/users/${id}`} size="sm" className="breakable">
      {email}
    </Anchor>
  );
}
