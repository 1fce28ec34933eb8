import { Alert, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client';
import { t } from '../../../texts';
import { useHasPermission } from '../../permissions';
import { scimPreviewedGroupsQuery, scimPreviewedUsersQuery } from './scim-queries';

interface Props {
  readonly org: string;
  readonly connectionId: string;
}

/** Names the first changes of the last preview that could not be applied. */
export function ScimFailedChanges({ org, connectionId }: Props) {
  const canReadUsers = useHasPermission('users:read');
  const canReadGroups = useHasPermission('groups:read');
  const users = useQuery({ ...scimPreviewedUsersQuery({ client: api, org }, connectionId), enabled: canReadUsers });
  const groups = useQuery({ ...scimPreviewedGroupsQuery({ client: api, org }, connectionId), enabled: canReadGroups });
  const failed = [
    ...(users.data?.data ?? []).map(({ id, email, error }) => ({ id, name: email, error })),
    ...(groups.data?.data ?? []),
  ].filter(({ error }) => error !== null);
  if (failed.length === 0) return null;
  return (
    <Alert color="red" title={t('scim.failedChanges')}>
      <List size="sm">
        {failed.map(({ id, name, error }) => (
          <List.Item key={id} className="breakable">
            {name}: {error}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
