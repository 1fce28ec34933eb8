import { Anchor, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { api, unwrap } from '../../../api/client';
import { queryClient } from '../../../app/query-client';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { isOutdated, OutdatedNotice } from '../../../ui/outdated-notice';
import { PageHeader } from '../../../ui/page-header';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import { type Api, apiQuery, apisKey } from '../application-queries';
import { DeleteSection } from '../delete-section';
import { ApiForm, type ApiValues, scopesOf } from './api-form';

export function ApiPage() {
  const org = useOrganizationId();
  const { apiId } = useParams({ from: '/dashboard/organizations/$org/applications/apis/$apiId' });
  const canWrite = useHasPermission('oauth_resources:write');
  const query = useQuery(apiQuery(org, apiId));
  if (query.error) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton h={320} />;
  const { resource, etag } = query.data;
  return (
    <>
      <Anchor component={Link} to={`/dashboard/organizations/${org}/applications/apis`} size="sm">
        ← {t('applications.apis.title')}
      </Anchor>
      <PageHeader title={resource.name} description={t('applications.apis.pageDescription')} />
      <Stack gap="xl" maw={640}>
        {/* The key resets the form to the saved values. */}
        <EditForm key={etag} resource={resource} etag={etag} isReadOnly={!canWrite} />
        {canWrite && <Deletion resource={resource} />}
      </Stack>
    </>
  );
}

interface FormProps {
  readonly resource: Api;
  readonly etag: string;
  readonly isReadOnly: boolean;
}

function EditForm({ resource: { id, name, identifier, scopes }, etag, isReadOnly }: FormProps) {
  const org = useOrganizationId();
  const save = useApiMutation({
    mutationFn: async (values: ApiValues) => {
      const params = { path: { org, id }, header: { 'If-Match': etag } };
      const body = { name: values.name.trim(), scopes: scopesOf(values) };
      return (await unwrap(api.PATCH('/v1/organizations/{org}/oauth-resources/{id}', { params, body }))).data;
    },
    invalidates: [apisKey(org)],
    successMessage: t('common.saved'),
  });
  const initialScopes = scopes.map((scope) => ({ name: scope.name, description: scope.description ?? '' }));
  return (
    <Stack>
      <OutdatedNotice error={save.error} queryKey={[...apisKey(org), id]} />
      <ApiForm
        initial={{ name, identifier, scopes: initialScopes }}
        isExisting
        isReadOnly={isReadOnly}
        submitLabel={t('common.save')}
        change={isOutdated(save.error) ? { ...save, error: null } : save}
      />
    </Stack>
  );
}

function Deletion({ resource: { id, name } }: Pick<FormProps, 'resource'>) {
  const org = useOrganizationId();
  const navigate = useNavigate();
  return (
    <DeleteSection
      name={name}
      label={t('applications.apis.delete')}
      description={t('applications.apis.deleteText')}
      onDelete={async () => {
        await unwrap(api.DELETE('/v1/organizations/{org}/oauth-resources/{id}', { params: { path: { org, id } } }));
        await navigate({ to: `/dashboard/organizations/${org}/applications/apis` });
        queryClient.removeQueries({ queryKey: [...apisKey(org), id] });
        await queryClient.invalidateQueries({ queryKey: apisKey(org) });
      }}
    />
  );
}
