import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { PageHeader } from '../../../ui/page-header';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useOrganizationId } from '../../organization';
import { apisKey } from '../application-queries';
import { ApiForm, type ApiValues, EMPTY_SCOPE, scopesOf } from './api-form';

const EMPTY: ApiValues = { name: '', identifier: '', scopes: [EMPTY_SCOPE] };

export function NewApiPage() {
  const org = useOrganizationId();
  const navigate = useNavigate();
  const back = () => void navigate({ to: `/dashboard/organizations/${org}/applications/apis` });
  const create = useApiMutation({
    mutationFn: async (values: ApiValues) => {
      const body = { name: values.name.trim(), identifier: values.identifier.trim(), scopes: scopesOf(values) };
      return (await unwrap(api.POST('/v1/organizations/{org}/oauth-resources', { params: { path: { org } }, body }))).data;
    },
    invalidates: [apisKey(org)],
    successMessage: ({ name }) => t('applications.created', { name }),
    onSuccess: back,
  });
  return (
    <>
      <PageHeader title={t('applications.apis.create')} description={t('applications.apis.pageDescription')} />
      <ApiForm initial={EMPTY} submitLabel={t('applications.apis.create')} change={create}>
        <Button variant="default" onClick={back} disabled={create.isPending}>
          {t('common.cancel')}
        </Button>
      </ApiForm>
    </>
  );
}
