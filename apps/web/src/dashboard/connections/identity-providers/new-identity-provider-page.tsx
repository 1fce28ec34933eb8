import { Button, SegmentedControl, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { PageHeader } from '../../../ui/page-header';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useOrganizationId } from '../../organization';
import { ProviderForm, type ProviderFields } from './provider-form';
import type { ProviderType } from './provider-queries';

const TYPES: { value: ProviderType; label: string }[] = [
  { value: 'oidc', label: 'OpenID Connect' },
  { value: 'github', label: 'GitHub' },
];

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
  const [type, setType] = useState<ProviderType>('oidc');
  const base = `/dashboard/organizations/${org}/identity-providers`;
  const create = useApiMutation({
    mutationFn: ({ issuer, clientSecret, removeSecret: _removeSecret, ...fields }: ProviderFields) => {
      const body = { ...fields, type, ...(issuer ? { issuer } : {}), ...(clientSecret ? { clientSecret } : {}) };
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
      <Stack maw={640} mb="lg" align="flex-start">
        <SegmentedControl aria-label={t('identityProviders.type')} data={TYPES} value={type} onChange={setType} />
      </Stack>
      {/* The key resets the form for another type. */}
      <ProviderForm
        key={type}
        type={type}
        initial={type === 'github' ? { ...EMPTY, name: 'GitHub' } : EMPTY}
        hasSecret={false}
        isNew
        submitLabel={t('identityProviders.create')}
        change={create}
      >
        <Button variant="default" onClick={() => void navigate({ to: base })} disabled={create.isPending}>
          {t('common.cancel')}
        </Button>
      </ProviderForm>
    </>
  );
}
