import { Box, Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { PageHeader } from '../../../ui/page-header';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useOrganizationId } from '../../organization';
import { ProviderForm, type ProviderFields } from './provider-form';
import { RedirectUri } from './redirect-uri';

const EMPTY: ProviderFields = {
  name: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  removeSecret: false,
  trustedDomains: [],
  mfaTrusted: false,
  allowedClients: [],
  enabled: true,
};

export function NewIdentityProviderPage() {
  const org = useOrganizationId();
  const navigate = useNavigate();
  const base = `/dashboard/organizations/${org}/identity-providers`;
  const create = useApiMutation({
    mutationFn: ({ clientSecret, removeSecret: _removeSecret, ...fields }: ProviderFields) => {
      const body = { ...fields, ...(clientSecret ? { clientSecret } : {}) };
      return unwrap(api.POST('/v1/organizations/{org}/identity-providers', { params: { path: { org } }, body: body as never }));
    },
    invalidates: [
      ['identity-providers', org],
      ['organization', org],
    ],
    successMessage: ({ data }) => t('identityProviders.created', { name: data.name }),
    onSuccess: ({ data }) => void navigate({ to: `${base}/${data.id}` }),
  });
  return (
    <>
      <PageHeader title={t('identityProviders.create')} description={t('identityProviders.createDescription')} />
      <Box maw={640} mb="lg">
        <RedirectUri />
      </Box>
      <ProviderForm initial={EMPTY} hasSecret={false} submitLabel={t('identityProviders.create')} change={create}>
        <Button variant="default" onClick={() => void navigate({ to: base })} disabled={create.isPending}>
          {t('common.cancel')}
        </Button>
      </ProviderForm>
    </>
  );
}
