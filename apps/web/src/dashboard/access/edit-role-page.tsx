import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { PageHeader } from '../../ui/page-header';
import { useApiMutation } from '../../ui/use-api-mutation';
import { useOrganizationId } from '../organization';
import { RoleForm, type RoleFields } from './role-form';
import { roleQuery } from './role-queries';

export function EditRolePage() {
  const org = useOrganizationId();
  const { roleId } = useParams({ from: '/dashboard/organizations/$org/roles/$roleId/edit' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const [reloads, setReloads] = useState(0);
  // A refetch must not change the form during editing.
  const query = useQuery({ ...roleQuery(org, roleId), staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false });
  const back = () => void navigate({ to: `/dashboard/organizations/${org}/roles/${roleId}` });
  const update = useApiMutation({
    mutationFn: ({ name, description, permissions }: RoleFields) => {
      const params = { path: { org, roleId }, header: { 'If-Match': query.data?.etag } };
      const body = { name, permissions: [...permissions], description: description || null };
      return unwrap(api.PATCH('/v1/organizations/{org}/roles/{roleId}', { params, body }));
    },
    invalidates: [['roles', org], ['permissions'], ['permission-check', org]],
    successMessage: ({ data }) => t('roles.saved', { name: data.name }),
    onSuccess: back,
  });
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton h={480} />;
  const { role } = query.data;
  const isOutdated = update.error instanceof ApiProblem && update.error.status === 412;
  const reload = async () => {
    await client.invalidateQueries({ queryKey: ['roles', org, roleId] });
    update.reset();
    setReloads(reloads + 1);
  };
  return (
    <>
      <PageHeader title={t('roles.editTitle', { name: role.name })} description={t('roles.editDescription')} />
      {isOutdated && (
        <Alert color="yellow" mb="md" role="alert">
          <Stack align="flex-start" gap="xs">
            <Text size="sm">{t('roles.editConflict')}</Text>
            <Button size="xs" variant="default" onClick={() => void reload()}>
              {t('roles.reload')}
            </Button>
          </Stack>
        </Alert>
      )}
      <RoleForm
        key={reloads}
        initial={{ name: role.name, description: role.description ?? '', permissions: role.permissions }}
        submitLabel={t('common.save')}
        change={isOutdated ? { ...update, error: null } : update}
        onCancel={back}
      />
    </>
  );
}
