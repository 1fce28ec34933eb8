import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { formErrors } from '../../api/form-errors';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { PageHeader } from '../../ui/page-header';
import { useApiMutation } from '../../ui/use-api-mutation';
import { useOrganizationId } from '../organization';
import { AddressFields } from './address-fields';
import { APPLICATION_TYPES, applicationsKey } from './application-queries';
import { creationOf, FIELDS_WITH_ERRORS, type NewApplicationValues } from './application-values';
import { showNewClientSecret } from './new-client-secret';
import { ResourcesField } from './resources-field';
import { useUnsavedChanges } from '../../ui/unsaved-changes';

const EMPTY: NewApplicationValues = {
  name: '',
  type: 'web',
  redirectUris: [],
  postLogoutRedirectUris: [],
  deviceSignIn: false,
  resources: [],
};

/** Creates an application of a type, and shows its secret once. */
export function NewApplicationPage() {
  const org = useOrganizationId();
  const navigate = useNavigate();
  const base = `/dashboard/organizations/${org}/applications`;
  const form = useForm<NewApplicationValues>({ initialValues: EMPTY });
  useUnsavedChanges(form.isDirty());
  const create = useApiMutation({
    mutationFn: async (values: NewApplicationValues) => {
      const body = creationOf(values) as never;
      return (await unwrap(api.POST('/v1/organizations/{org}/oauth-clients', { params: { path: { org } }, body }))).data;
    },
    invalidates: [applicationsKey(org)],
    successMessage: ({ name }) => t('applications.created', { name }),
    onSuccess: ({ id, secret }) => {
      void navigate({ to: `${base}/${id}` });
      if (secret) showNewClientSecret(id, secret);
    },
  });
  const { fields: errors, rest } = formErrors(create.error, FIELDS_WITH_ERRORS);
  const { type } = form.values;
  return (
    <>
      <PageHeader title={t('applications.create')} description={t('applications.createDescription')} />
      <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
        <Stack maw={640} gap="lg">
          <TypeField {...form.getInputProps('type')} />
          <TextInput
            label={t('applications.name')}
            description={t('applications.nameHint')}
            required
            maxLength={100}
            {...form.getInputProps('name')}
            error={errors['name']}
          />
          <AddressFields form={form} type={type} errors={errors} />
          <ResourcesField
            isMachine={type === 'machine'}
            value={form.values.resources}
            onChange={(resources) => form.setFieldValue('resources', resources)}
          />
          {rest !== undefined && <ErrorNotice error={rest} />}
          <Group>
            <Button type="submit" loading={create.isPending}>
              {t('applications.create')}
            </Button>
            <Button variant="default" onClick={() => void navigate({ to: base })} disabled={create.isPending}>
              {t('common.cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

function TypeField(props: object) {
  return (
    <Radio.Group label={t('applications.type')} {...props}>
      <Stack gap="sm" mt="xs">
        {APPLICATION_TYPES.map((type) => (
          <Radio
            key={type}
            value={type}
            label={t(`applications.types.${type}`)}
            description={t(`applications.typeHints.${type}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
