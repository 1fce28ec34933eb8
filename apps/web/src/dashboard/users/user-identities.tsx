import { ActionIcon, Skeleton, Table, Text, Tooltip } from '@mantine/core';
import { UnlinkIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { ErrorNotice } from '../../ui/error-notice';
import { Moment } from '../../ui/moment';
import { useChange } from '../../ui/use-change';
import { useOrganizationId } from '../organization';
import { useMay } from '../permissions';
import type { User } from './user-queries';

/** Lists the identities of a user at identity providers. */
export function UserIdentities({ user }: { user: User }) {
  const org = useOrganizationId();
  const mayWrite = useMay('users:write');
  const query = useQuery({
    queryKey: ['user-identities', org, user.id],
    queryFn: async () => {
      const path = { org, id: user.id };
      return (await answerOf(api.GET('/v1/organizations/{org}/users/{id}/identities', { params: { path } }))).data.identities;
    },
  });
  // Callers who can't manage the user see only the names of the providers.
  if (query.error instanceof ApiProblem && query.error.status === 403)
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
          {mayWrite && <Table.Th>{t('common.actions')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {query.data.map((identity) => (
          <Table.Tr key={identity.identityProviderId}>
            <Table.Td className="breakable">{identity.provider}</Table.Td>
            <Table.Td className="breakable">{identity.externalId}</Table.Td>
            <Table.Td>
              <Moment at={identity.linkedAt} />
            </Table.Td>
            {mayWrite && (
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
  const unlink = useChange({
    run: () =>
      answerOf(
        api.DELETE('/v1/organizations/{org}/users/{id}/identities/{identityProviderId}', {
          params: { path: { org, id: user.id, identityProviderId } },
        }),
      ),
    outdates: [['user-identities'], ['users'], ['user']],
    done: t('users.security.unlinked'),
  });
  const ask = () =>
    confirm({
      title: t('users.security.unlinkTitle', { provider }),
      consequences: t('users.security.unlinkText'),
      confirmLabel: t('users.security.unlink'),
      isDangerous: true,
      action: () => unlink.mutateAsync(),
    });
  return (
    <Tooltip label={t('users.security.unlink')}>
      <ActionIcon variant="subtle" color="red" onClick={ask} aria-label={`${t('users.security.unlink')}: ${provider}`}>
        <UnlinkIcon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
