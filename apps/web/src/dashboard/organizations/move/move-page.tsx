import { Alert, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { FlowchartIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import { EmptyState } from '../../../ui/empty-state';
import { ErrorNotice } from '../../../ui/error-notice';
import { PageHeader } from '../../../ui/page-header';
import { organizationQuery, useOrganizationId } from '../../organization';
import { covers, permissionsQuery } from '../../permissions';
import { MovePreview } from './move-preview';
import { MOVE_ROUTE } from './move';
import { ParentSelect } from './parent-select';

/** Selects the new parent of an organization, previews the move, and moves the organization. */
export function MovePage() {
  const org = useOrganizationId();
  const query = useQuery(organizationQuery(org));
  const permissions = useQuery(permissionsQuery(org));
  const error = query.error ?? permissions.error;
  if (error) return <ErrorNotice error={error} onRetry={() => void Promise.all([query.refetch(), permissions.refetch()])} />;
  if (!query.data || !permissions.data) return <Skeleton h={220} />;
  const canWrite = covers(permissions.data, 'organizations:write');
  return (
    <>
      <PageHeader
        title={t('organization.move.title', { name: query.data.name })}
        description={t('organization.move.description')}
      />
      {query.data.parentId === null && <Alert>{t('organization.move.root')}</Alert>}
      {query.data.parentId !== null && !canWrite && <Alert>{t('organization.move.cannotWrite')}</Alert>}
      {query.data.parentId !== null && canWrite && <ParentAndPreview organization={query.data} />}
    </>
  );
}

function ParentAndPreview({ organization }: { organization: Schema<'OrganizationResponse'> }) {
  const { parent } = useSearch({ from: MOVE_ROUTE });
  const navigate = useNavigate({ from: MOVE_ROUTE });
  return (
    <Stack gap="lg">
      <ParentSelect
        organization={organization}
        value={parent}
        onChange={(id) => void navigate({ search: (before) => ({ ...before, parent: id }) })}
      />
      {parent === undefined ? (
        <Paper withBorder>
          <EmptyState icon={FlowchartIcon} title={t('organization.move.noParentTitle')}>
            <Text inherit>{t('organization.move.noParent')}</Text>
          </EmptyState>
        </Paper>
      ) : (
        <MovePreview key={parent} organization={organization} parentId={parent} />
      )}
    </Stack>
  );
}
