import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { PencilIcon, TrashIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { ActionButton } from '../../ui/action-button';
import { confirm } from '../../ui/confirm';
import { CopyField } from '../../ui/copy-field';
import { ErrorNotice } from '../../ui/error-notice';
import { PageHeader } from '../../ui/page-header';
import { useApiMutation } from '../../ui/use-api-mutation';
import { ManagedBy } from '../managed-by';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { openEditGroupDialog } from './group-form';
import { GroupMembers } from './group-members';
import { groupQuery, groupsKey, type UserGroup } from './group-queries';
import { GroupRoles } from './group-roles';

export function GroupPage() {
  const org = useOrganizationId();
  const { groupId } = useParams({ from: '/dashboard/organizations/$org/groups/$groupId' });
  const query = useQuery(groupQuery(org, groupId));
  return (
    <>
      <Anchor component={Link} to={`/dashboard/organizations/${org}/groups`} size="sm">
        {t('groups.back')}
      </Anchor>
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton h={320} />}
      {query.data && <LoadedGroup org={org} group={query.data.group} etag={query.data.etag} />}
    </>
  );
}

interface Props {
  readonly org: string;
  readonly group: UserGroup;
  readonly etag: string;
}

function LoadedGroup({ org, group, etag }: Props) {
  return (
    <>
      <PageHeader
        title={group.name}
        description={
          <Stack gap={4}>
            {group.description && <Text className="breakable">{group.description}</Text>}
            <Group gap="md">
              <CopyField value={group.id} label={t('groups.id')} />
              {group.externalId && <Text size="sm">{t('groups.withExternalId', { externalId: group.externalId })}</Text>}
            </Group>
            {group.managedBy && <ManagedBy org={org} connectionId={group.managedBy} />}
          </Stack>
        }
        actions={<GroupActions org={org} group={group} etag={etag} />}
      />
      <Stack gap="xl">
        <GroupRoles org={org} group={group} />
        <GroupMembers org={org} group={group} />
      </Stack>
    </>
  );
}

function GroupActions({ org, group, etag }: Props) {
  const navigate = useNavigate();
  const canWrite = useHasPermission('groups:write');
  const remove = useApiMutation({
    mutationFn: () => unwrap(api.DELETE('/v1/organizations/{org}/groups/{id}', { params: { path: { org, id: group.id } } })),
    invalidates: [[...groupsKey(org), 'list'], ['permissions'], ['permission-check', org]],
    successMessage: t('groups.removed', { name: group.name }),
    onSuccess: () => void navigate({ to: `/dashboard/organizations/${org}/groups` }),
  });
  const reason = canWrite ? undefined : t('groups.cannotWrite');
  return (
    <>
      <ActionButton
        onClick={() => openEditGroupDialog(org, group, etag)}
        disabledReason={reason}
        variant="default"
        leftSection={<PencilIcon size={16} />}
      >
        {t('groups.edit')}
      </ActionButton>
      <ActionButton
        onClick={() =>
          confirm({
            title: t('groups.removeTitle', { name: group.name }),
            consequences: t('groups.removeText', { count: group.memberCount }),
            confirmLabel: t('groups.remove'),
            isDangerous: true,
            action: () => remove.mutateAsync(undefined),
          })
        }
        disabledReason={reason}
        variant="light"
        color="red"
        leftSection={<TrashIcon size={16} />}
      >
        {t('groups.remove')}
      </ActionButton>
    </>
  );
}
