import { Paper, SimpleGrid, Stack } from '@mantine/core';
import { TasklistIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { t } from '../../texts';
import { EmptyState } from '../../ui/empty-state';
import { ErrorNotice } from '../../ui/error-notice';
import { PageHeader } from '../../ui/page-header';
import { useOrganizationId } from '../organization';
import { AllPermissions } from './all-permissions';
import { PermissionCheckResult } from './permission-check-result';
import { CHECKABLE_PERMISSION, PermissionField } from './permission-field';
import { UserPicker, userQuery } from './user-picker';

/** Shows whether and why a user has a permission. */
export function PermissionCheckPage() {
  const org = useOrganizationId();
  const { user: userId, permission } = useSearch({ from: '/dashboard/organizations/$org/permissions' });
  const navigate = useNavigate();
  const change = (search: { user?: string; permission?: string }) => void navigate({ to: '.', search });
  const { data: user, error } = useQuery({ ...userQuery(org, userId ?? ''), enabled: userId !== undefined });
  return (
    <>
      <PageHeader title={t('permissionChecks.title')} description={t('permissionChecks.description')} />
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, sm: 2 }} maw={900}>
          <UserPicker org={org} value={userId} onChange={(id) => change({ user: id, permission })} />
          <PermissionField value={permission} onChange={(name) => change({ user: userId, permission: name })} />
        </SimpleGrid>
        {error && <ErrorNotice error={error} />}
        {!userId && (
          <Paper withBorder>
            <EmptyState icon={TasklistIcon} title={t('permissionChecks.startTitle')}>
              {t('permissionChecks.start')}
            </EmptyState>
          </Paper>
        )}
        {user && permission && CHECKABLE_PERMISSION.test(permission) && (
          <PermissionCheckResult org={org} user={user} permission={permission} />
        )}
        {user && <AllPermissions org={org} user={user} onExplain={(name) => change({ user: userId, permission: name })} />}
      </Stack>
    </>
  );
}
