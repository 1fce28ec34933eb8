import { ActionIcon, Skeleton, Table, Text, Tooltip } from '@mantine/core';
import { UnlinkIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { api, type Schema, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { ErrorNotice } from '../../ui/error-notice';
import { RelativeTime } from '../../ui/relative-time';
import { useApiMutation } from '../../ui/use-api-mutation';
import { useAsOf } from '../as-of/use-as-of';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import type { User } from './user-queries';

export function UserIdentities({ user }: { user: User }) {
  const org = useOrganizationId();
  const canWrite = useHasPermission('users:write');
  const { asOf } = useAsOf();
  const query = useQuery({
    queryKey: ['user-identities', org, user.id],
    queryFn: async () => {
      const path = { org, id: user.id };
      return (await unwrap(api.GET('/v1/organizations/{org}/users/{id}/identities', { params: { path } }))).data.identities;
    },
    // The identities have no history. The user has the names of the providers.
    enabled: asOf === undefined,
  });
  // Callers who can't manage the user see only the names of the providers.
  if (asOf !== undefined || (query.error instanceof ApiProblem && query.error.status === 403))
    return <Text size="sm">{user.identityProviders.map(({ provider }) => provider).join(', ')}</Text>;
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton h={60} />;
  return (
    <Table aria-label={t('users.security.providers')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('users.security.provider')}</Table.Th>
          <Table.Th>{t('users.security.externalId')}</Table.Th>
          <Table.Th>{t('users.security.linkedAt')}</Table.Th>
          {canWrite && <Table.Th>{t('common.actions')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {query.data.map((identity) => (
          <Table.Tr key={identity.identityProviderId}>
            <Table.Td className="breakable">{identity.provider}</Table.Td>
            <Table.Td className="breakable">{identity.externalId}</Table.Td>
            <Table.Td>
              <RelativeTime at={identity.linkedAt} />
            </Table.Td>
            {canWrite && (
              <Table.Td>
                <Unlink user={user} identity={identity} />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Unlink({ user, identity: { identityProviderId, provider } }: { user: User; identity: Schema<'IdentityResponse'> }) {
  const org = useOrganizationId();
  const unlink = useApiMutation({
    mutationFn: () =>
      unwrap(
        api.DELETE('/v1/organizations/{org}/users/{id}/identities/{identityProviderId}', {
          params: { path: { org, id: user.id, identityProviderId } },
        }),
      ),
    invalidates: [['user-identities'], ['users'], ['user']],
    successMessage: t('users.security.unlinked'),
  });
  const openConfirmation = () =>
    confirm({
      title: t('users.security.unlinkTitle', { provider }),
      consequences: t('users.security.unlinkText'),
      confirmLabel: t('users.security.unlink'),
      isDangerous: true,
      action: () => unlink.mutateAsync(),
    });
  return (
    <Tooltip label={t('users.security.unlink')}>
      <ActionIcon
        variant="subtle"
        color="red"
        onClick={openConfirmation}
        aria-label={`${t('users.security.unlink')}: ${provider}`}
      >
        <UnlinkIcon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
