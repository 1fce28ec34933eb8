import { useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { PageHeader } from '../../ui/page-header';
import { useApiMutation } from '../../ui/use-api-mutation';
import { useOrganizationId } from '../organization';
import { RoleForm, type RoleFields } from './role-form';

export function NewRolePage() {
  const org = useOrganizationId();
  const navigate = useNavigate();
  const base = `/dashboard/organizations/${org}/roles`;
  const create = useApiMutation({
    mutationFn: ({ name, description, permissions }: RoleFields) => {
      const body = { name, permissions: [...permissions], ...(description ? { description } : {}) };
      return unwrap(api.POST('/v1/organizations/{org}/roles', { params: { path: { org } }, body }));
    },
    invalidates: [['roles', org]],
    successMessage: ({ data }) => t('roles.created', { name: data.name }),
    onSuccess: ({ data }) => void navigate({ to: `${base}/${data.id}` }),
  });
  return (
    <>
      <PageHeader title={t('roles.create')} description={t('roles.createDescription')} />
      <RoleForm
        initial={{ name: '', description: '', permissions: [] }}
        submitLabel={t('roles.create')}
        change={create}
        onCancel={() => void navigate({ to: base })}
      />
    </>
  );
}
