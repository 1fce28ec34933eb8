import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client';
import { t } from '../texts';
import { scimConnectionQuery } from './connections/scim/scim-queries';
import { useHasPermission } from './permissions';

interface Props {
  /** The organization of the connection. */
  readonly org: string;
  readonly connectionId: string;
}

/** Shows the SCIM connection that manages a user or a group. */
export function ManagedBy({ org, connectionId }: Props) {
  const canRead = useHasPermission('scim:read');
  const { data } = useQuery({ ...scimConnectionQuery({ client: api, org }, connectionId), enabled: canRead, retry: false });
  return (
    <Text size="sm">
      {t('scim.managedBy')}{' '}
      {data ? (
        <Anchor component={Link} to={`/dashboard/organizations/${org}/scim/${connectionId}`} inherit className="breakable">
          {data.connection.name}
        </Anchor>
      ) : (
        connectionId
      )}
    </Text>
  );
}
