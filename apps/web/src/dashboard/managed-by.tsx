import { Anchor, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, unwrap } from '../api/client';
import { queryClient } from '../app/query-client';
import { t } from '../texts';
import { scimKey } from './connections/scim/scim-queries';
import { ancestorsQuery, nullIfHidden } from './organization';
import { useHasPermission } from './permissions';

interface Props {
  /** The organization of the page. */
  readonly org: string;
  readonly connectionId: string;
}

/** Shows the SCIM connection that manages a user or a group. */
export function ManagedBy({ org, connectionId }: Props) {
  const canRead = useHasPermission('scim:read');
  const { data: connection } = useQuery({ ...managingConnectionQuery(org, connectionId), enabled: canRead, retry: false });
  return (
    <Text size="sm">
      {t('scim.managedBy')}{' '}
      {connection ? (
        <Anchor
          component={Link}
          to={`/dashboard/organizations/${connection.organizationId}/scim/${connectionId}`}
          inherit
          underline="always"
          className="breakable"
        >
          {connection.name}
        </Anchor>
      ) : (
        connectionId
      )}
    </Text>
  );
}

/** Returns whether only the directory can change the fields that it sends. False if the caller can't see the connection. */
export function useIsProvisioned(org: string, connectionId: string | undefined): boolean {
  const canRead = useHasPermission('scim:read');
  const query = managingConnectionQuery(org, connectionId ?? '');
  const { data: connection } = useQuery({ ...query, enabled: canRead && connectionId !== undefined, retry: false });
  return connection?.allowLocalChanges === false;
}

/** Finds a connection in an organization or in its ancestors, which can manage its members. Null if the caller can't see it. */
const managingConnectionQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...scimKey(org), id, 'managing'],
    queryFn: async () => {
      const ancestors = await queryClient.ensureQueryData(ancestorsQuery(org));
      for (const each of [org, ...ancestors.map((ancestor) => ancestor.id).toReversed()]) {
        const call = api.GET('/v1/organizations/{org}/scim-connections/{id}', { params: { path: { org: each, id } } });
        const found = await unwrap(call).catch(nullIfHidden);
        if (found) return found.data;
      }
      return null;
    },
  });
