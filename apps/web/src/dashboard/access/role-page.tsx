import { Anchor, Badge, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { PencilIcon, TrashIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schema } from '../../api/client';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { CopyField } from '../../ui/copy-field';
import { ErrorNotice } from '../../ui/error-notice';
import { RelativeTime } from '../../ui/relative-time';
import { PageHeader } from '../../ui/page-header';
import { ActionButton } from '../../ui/action-button';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { openDeleteRoleDialog } from './delete-role';
import { useIsCurrentOrganization } from './organization-name';
import { PermissionMatrix } from './permission-matrix';
import { isServicePermission } from './permission-patterns';
import { RoleOrigin } from './role-origin';
import { descriptionOf, holdersQuery, roleQuery, servicePermissionsQuery } from './role-queries';

type Role = Schema<'RoleResponse'>;

export function RolePage() {
  const org = useOrganizationId();
  const { roleId } = useParams({ from: '/dashboard/organizations/$org/roles/$roleId' });
  const query = useQuery(roleQuery(org, roleId));
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton h={320} />;
  const { role } = query.data;
  return (
    <>
      <PageHeader
        title={roleName(role.name)}
        description={descriptionOf(role)}
        badge={<RoleOrigin role={role} />}
        actions={<RoleActions role={role} />}
      />
      <Stack gap="lg">
        <RoleDetails role={role} />
        <Permissions role={role} />
      </Stack>
    </>
  );
}

function RoleActions({ role }: { role: Role }) {
  const org = useOrganizationId();
  const navigate = useNavigate();
  const canWrite = useHasPermission('roles:write');
  const isOwn = useIsCurrentOrganization()(role.organizationId);
  const reason = role.builtIn
    ? t('roles.builtInFixed')
    : !isOwn
      ? t('roles.inheritedFixed')
      : canWrite
        ? undefined
        : t('roles.cannotWrite');
  const base = `/dashboard/organizations/${org}/roles`;
  return (
    <>
      <ActionButton
        to={`${base}/${role.id}/edit`}
        disabledReason={reason}
        variant="default"
        leftSection={<PencilIcon size={16} />}
      >
        {t('roles.edit')}
      </ActionButton>
      <ActionButton
        onClick={() => openDeleteRoleDialog({ org, role, onDeleted: () => void navigate({ to: base }) })}
        disabledReason={reason}
        variant="light"
        color="red"
        leftSection={<TrashIcon size={16} />}
      >
        {t('roles.remove')}
      </ActionButton>
    </>
  );
}

function RoleDetails({ role }: { role: Role }) {
  const org = useOrganizationId();
  const canSeeUsers = useHasPermission('users:read');
  const { data: holders } = useQuery({ ...holdersQuery(org, role.id), enabled: canSeeUsers });
  return (
    <Paper withBorder p="md">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <Detail label={t('roles.holders')} hint={t('roles.holdersHint')}>
          <Group gap="xs">
            <span>{canSeeUsers ? (holders === undefined ? '…' : t('common.total', { count: holders })) : '–'}</span>
            {Boolean(holders) && (
              <Anchor component={Link} to={`/dashboard/organizations/${org}/users?role=${role.id}`} size="sm">
                {t('roles.showHolders')}
              </Anchor>
            )}
          </Group>
        </Detail>
        <Detail label={t('roles.id')}>
          <CopyField value={role.id} label={t('roles.id')} />
        </Detail>
        {role.createdAt && (
          <Detail label={t('roles.createdAt')}>
            <RelativeTime at={role.createdAt} />
          </Detail>
        )}
        {role.updatedAt && (
          <Detail label={t('roles.updatedAt')}>
            <RelativeTime at={role.updatedAt} />
          </Detail>
        )}
      </SimpleGrid>
    </Paper>
  );
}

function Detail({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <Stack gap={2}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <div>{children}</div>
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </Stack>
  );
}

function Permissions({ role: { permissions } }: { role: Role }) {
  const { data: servicePermissions, error } = useQuery(servicePermissionsQuery);
  if (error) return <ErrorNotice error={error} />;
  if (!servicePermissions) return <Skeleton h={320} />;
  const customPermissions = permissions.filter((permission) => !isServicePermission(permission, servicePermissions));
  return (
    <>
      <Stack gap="sm">
        <Title order={2}>{t('roles.permissions')}</Title>
        <PermissionMatrix servicePermissions={servicePermissions} value={permissions} />
      </Stack>
      <Stack gap="sm">
        <Title order={2}>{t('roles.own')}</Title>
        {customPermissions.length === 0 && <Text c="dimmed">{t('roles.ownNone')}</Text>}
        <Group gap="xs">
          {customPermissions.map((permission) => (
            <Badge key={permission} variant="light" tt="none" size="lg" ff="monospace">
              {permission}
            </Badge>
          ))}
        </Group>
      </Stack>
    </>
  );
}
