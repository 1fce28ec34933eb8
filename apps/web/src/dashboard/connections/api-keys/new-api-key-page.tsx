import { Button, Group, Input, Skeleton, Stack, TagsInput, TextInput, Title } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../../api/client';
import { formErrors } from '../../../api/form-errors';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { PageHeader } from '../../../ui/page-header';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { PermissionMatrix } from '../../access/permission-matrix';
import { canGrant, type Permission } from '../../access/permission-patterns';
import { servicePermissionsQuery } from '../../access/role-queries';
import { useOrganizationId } from '../../organization';
import { permissionsQuery } from '../../permissions';
import { expiryError, ExpiryFields, expiryOf, type ExpiryValues } from '../expiry';
import { showNewKey } from './new-key-dialog';
import { useUnsavedChanges } from '../../../ui/unsaved-changes';

interface Fields extends ExpiryValues {
  readonly name: string;
  readonly scopes: string[];
  readonly allowedNetworks: string[];
}

/** Creates an API key and shows its secret once. */
export function NewApiKeyPage() {
  const org = useOrganizationId();
  const { data: servicePermissions, error } = useQuery(servicePermissionsQuery);
  const { data: ownPermissions } = useQuery(permissionsQuery(org));
  if (error) return <ErrorNotice error={error} />;
  return (
    <>
      <PageHeader title={t('apiKeys.create')} description={t('apiKeys.createDescription')} />
      {servicePermissions && ownPermissions ? (
        <NewApiKeyForm org={org} servicePermissions={servicePermissions} ownPermissions={ownPermissions} />
      ) : (
        <Skeleton h={480} />
      )}
    </>
  );
}

interface FormProps {
  readonly org: string;
  readonly servicePermissions: readonly Permission[];
  /** The permissions of the caller. */
  readonly ownPermissions: readonly string[];
}

function NewApiKeyForm({ org, servicePermissions, ownPermissions }: FormProps) {
  const navigate = useNavigate();
  const back = () => void navigate({ to: `/dashboard/organizations/${org}/api-keys` });
  const create = useApiKeyCreation(org, back);
  const form = useForm<Fields>({
    initialValues: { name: '', scopes: [], expiry: 'days90', date: '', allowedNetworks: [] },
    validate: {
      scopes: (scopes) => (scopes.length === 0 ? t('apiKeys.scopesMissing') : null),
      date: (_date, fields) => expiryError(fields),
    },
  });
  useUnsavedChanges(form.isDirty());
  const { fields: fieldErrors, rest } = formErrors(create.error, ['name', 'expiresAt']);
  return (
    <form onSubmit={form.onSubmit((fields) => create.mutate(fields))}>
      <Stack gap="lg" maw={900}>
        <TextInput
          label={t('apiKeys.name')}
          description={t('apiKeys.nameHint')}
          placeholder={t('apiKeys.namePlaceholder')}
          required
          maxLength={100}
          maw={480}
          data-autofocus
          {...form.getInputProps('name')}
          error={fieldErrors['name']}
        />
        <ExpiryFields form={form} neverHint={t('apiKeys.neverHint')} error={fieldErrors['expiresAt']} />
        <TagsInput
          label={t('apiKeys.networks')}
          description={t('apiKeys.networksHint')}
          placeholder="203.0.113.0/24"
          splitChars={[',', ' ']}
          maw={480}
          {...form.getInputProps('allowedNetworks')}
        />
        <ScopesField form={form} servicePermissions={servicePermissions} ownPermissions={ownPermissions} />
        {rest !== undefined && <ErrorNotice error={rest} />}
        <Group>
          <Button type="submit" loading={create.isPending}>
            {t('apiKeys.create')}
          </Button>
          <Button variant="default" onClick={back} disabled={create.isPending}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useApiKeyCreation(org: string, onCreated: () => void) {
  return useApiMutation({
    mutationFn: (fields: Fields) => {
      const expiresAt = expiryOf(fields)?.toISOString();
      const { allowedNetworks } = fields;
      const body = {
        name: fields.name.trim(),
        scopes: fields.scopes as never[],
        ...(expiresAt ? { expiresAt } : {}),
        ...(allowedNetworks.length > 0 ? { allowedNetworks } : {}),
      };
      return unwrap(api.POST('/v1/organizations/{org}/api-keys', { params: { path: { org } }, body }));
    },
    invalidates: [['api-keys', org]],
    onSuccess: ({ data }) => {
      onCreated();
      showNewKey(org, data);
    },
  });
}

function ScopesField({
  form,
  servicePermissions,
  ownPermissions,
}: Pick<FormProps, 'servicePermissions' | 'ownPermissions'> & { form: UseFormReturnType<Fields> }) {
  return (
    <Stack gap="sm">
      <div>
        <Title order={2}>{t('apiKeys.scopes')}</Title>
        <Input.Description>{t('apiKeys.scopesHint')}</Input.Description>
      </div>
      <PermissionMatrix
        servicePermissions={servicePermissions}
        value={form.values.scopes}
        onChange={(scopes) => form.setFieldValue('scopes', scopes)}
        canChoose={(scope) => canGrant(ownPermissions, scope, servicePermissions)}
      />
      {form.errors['scopes'] && <Input.Error role="alert">{form.errors['scopes']}</Input.Error>}
    </Stack>
  );
}
