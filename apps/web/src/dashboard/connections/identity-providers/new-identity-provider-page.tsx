import { Button, SegmentedControl, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { PageHeader } from '../../../ui/page-header';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useOrganizationId } from '../../organization';
import { ProviderForm, type ProviderFields } from './provider-form';
import { KNOWN_PROVIDERS, type KnownProvider } from './provider-instructions';

const CHOICES = Object.keys(KNOWN_PROVIDERS) as KnownProvider[];

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
  const [product, setProduct] = useState<KnownProvider | 'other'>('okta');
  const known = product === 'other' ? undefined : KNOWN_PROVIDERS[product];
  const type = known?.type ?? 'oidc';
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
        <SegmentedControl
          aria-label={t('identityProviders.product')}
          data={[
            ...CHOICES.map((value) => ({ value, label: KNOWN_PROVIDERS[value].name })),
            { value: 'other', label: t('identityProviders.otherProduct') },
          ]}
          value={product}
          onChange={setProduct}
          style={{ flexWrap: 'wrap' }}
        />
      </Stack>
      {/* The key resets the form for another product. */}
      <ProviderForm
        key={product}
        type={type}
        initial={{ ...EMPTY, name: known?.name ?? '', issuer: product === 'google' ? KNOWN_PROVIDERS.google.issuer : '' }}
        hasSecret={false}
        product={product}
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
