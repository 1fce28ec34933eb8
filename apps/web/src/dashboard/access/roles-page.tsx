import { Anchor, Stack, Text } from '@mantine/core';
import { PlusIcon, SearchIcon, ShieldLockIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { createColumnHelper } from '@tanstack/react-table';
import type { Schema } from '../../api/client';
import { matchesSearch } from '../../app/search';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { DataTable } from '../../ui/data-table';
import { DebouncedInput } from '../../ui/debounced-input';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { ActionButton } from '../../ui/action-button';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';
import { PermissionSummary } from './permission-summary';
import { RoleOrigin } from './role-origin';
import { descriptionOf, rolesQuery } from './role-queries';

type Role = Schema<'RoleResponse'>;

const column = createColumnHelper<Role>();
const columns = [
  column.accessor('name', {
    header: () => t('roles.name'),
    cell: ({ row: { original } }) => <RoleLink role={original} />,
  }),
  column.display({
    id: 'origin',
    header: () => t('roles.origin'),
    cell: ({ row: { original } }) => <RoleOrigin role={original} />,
  }),
  column.accessor('permissions', {
    header: () => t('roles.permissions'),
    cell: (cell) => <PermissionSummary permissions={cell.getValue()} />,
  }),
];

export function RolesPage() {
  const org = useOrganizationId();
  const { search } = useSearch({ from: '/dashboard/organizations/$org/roles' });
  const navigate = useNavigate();
  const query = useQuery({ ...rolesQuery(org), select: (roles) => filterRoles(roles, search) });
  return (
    <>
      <PageHeader title={t('roles.title')} description={t('roles.description')} actions={<CreateButton org={org} />} />
      <DebouncedInput
        label={t('roles.search')}
        placeholder={t('roles.searchPlaceholder')}
        leftSection={<SearchIcon size={16} />}
        value={search}
        onChange={(text) => void navigate({ to: '.', search: text ? { search: text } : {}, replace: true })}
        maw={360}
        mb="md"
      />
      <DataTable
        label={t('roles.title')}
        columns={columns}
        rowId={({ id }) => id}
        query={query}
        onPage={() => undefined}
        empty={
          <EmptyState icon={ShieldLockIcon} title={t('roles.noMatch')}>
            {t('roles.noMatchAdvice')}
          </EmptyState>
        }
      />
    </>
  );
}

function RoleLink({ role }: { role: Role }) {
  const org = useOrganizationId();
  const description = descriptionOf(role);
  return (
    <Stack gap={2} miw={180}>
      <Anchor component={Link} to={`/dashboard/organizations/${org}/roles/${role.id}`} fw={500} className="breakable">
        {roleName(role.name)}
      </Anchor>
      {description && (
        <Text size="sm" c="dimmed" lineClamp={2} maw={420}>
          {description}
        </Text>
      )}
    </Stack>
  );
}

function CreateButton({ org }: { org: string }) {
  const canWrite = useHasPermission('roles:write');
  return (
    <ActionButton
      to={`/dashboard/organizations/${org}/roles/new`}
      disabledReason={canWrite ? undefined : t('roles.cannotWrite')}
      leftSection={<PlusIcon size={16} />}
    >
      {t('roles.create')}
    </ActionButton>
  );
}

interface Roles {
  readonly data: Role[];
  readonly pagination: { readonly total: number; readonly page: number; readonly limit: number };
}

/** Returns the roles whose name, description or permissions contain the search text. */
function filterRoles({ data, pagination }: Roles, search = ''): Roles {
  const matches = data.filter(({ name, description, permissions }) =>
    matchesSearch([name, description ?? '', ...permissions], search),
  );
  return { data: matches, pagination: { ...pagination, total: matches.length } };
}
