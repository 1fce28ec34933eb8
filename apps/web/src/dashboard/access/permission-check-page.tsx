import { Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { TasklistIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { t } from '../../texts';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { AsOfBanner } from '../as-of/as-of-banner';
import { AsOfButton } from '../as-of/as-of-button';
import { AsOfError } from '../as-of/as-of-error';
import { formatAsOf } from '../as-of/format-moment';
import { useAsOf } from '../as-of/use-as-of';
import { useOrganizationId } from '../organization';
import { AllPermissions } from './all-permissions';
import { PermissionCheckResult } from './permission-check-result';
import { PermissionField } from './permission-field';
import { PERMISSION_OR_PATTERN } from './permission-patterns';
import { matchesQuery, userQuery, UserPicker } from './user-picker';

const ROUTE = '/dashboard/organizations/$org/permissions';

/** Shows whether and why a user has a permission, now or as of a past moment. */
export function PermissionCheckPage() {
  const org = useOrganizationId();
  const { user: userId, permission, asOf } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const change = (changes: { user?: string; permission?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...changes }) });
  const { data: user, error } = useQuery({ ...userQuery(org, userId ?? '', asOf), enabled: userId !== undefined });
  // Shows an invalid moment before a user is selected.
  const { error: listError } = useQuery({ ...matchesQuery(org, '', asOf), enabled: asOf !== undefined });
  const shownError = error ?? listError;
  const onExplain = (name: string) => change({ permission: name });
  return (
    <>
      <AsOfBanner />
      <PageHeader title={t('permissionChecks.title')} description={t('permissionChecks.description')} actions={<AsOfButton />} />
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, sm: 2 }} maw={900}>
          <UserPicker org={org} asOf={asOf} value={userId} onChange={(id) => change({ user: id })} />
          <PermissionField org={org} value={permission} onChange={(name) => change({ permission: name })} />
        </SimpleGrid>
        {shownError && <AsOfError error={shownError} />}
        {!userId && !shownError && (
          <Paper withBorder>
            <EmptyState icon={TasklistIcon} title={t('permissionChecks.startTitle')}>
              {t('permissionChecks.start')}
            </EmptyState>
          </Paper>
        )}
        {user && permission && PERMISSION_OR_PATTERN.test(permission) && (
          <CheckResults org={org} userId={user.id} permission={permission} />
        )}
        {user && <AllPermissions org={org} user={user} onExplain={onExplain} />}
      </Stack>
    </>
  );
}

interface ResultsProps {
  readonly org: string;
  readonly userId: string;
  readonly permission: string;
}

/** Shows the result of the check; with a comparison, the results as of the past moment and now. */
function CheckResults(check: ResultsProps) {
  const { asOf, isComparing } = useAsOf();
  if (asOf === undefined || !isComparing) return <PermissionCheckResult {...check} asOf={asOf} />;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Stack gap="xs">
        <Title order={2}>{formatAsOf(asOf)}</Title>
        <PermissionCheckResult {...check} asOf={asOf} />
      </Stack>
      <Stack gap="xs">
        <Title order={2}>{t('asOf.now')}</Title>
        <PermissionCheckResult {...check} asOf={undefined} />
      </Stack>
    </SimpleGrid>
  );
}
