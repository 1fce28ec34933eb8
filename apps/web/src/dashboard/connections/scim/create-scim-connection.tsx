import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { api, unwrap } from '../../../api/client';
import { formErrors } from '../../../api/form-errors';
import { t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { type ScimConnection, scimKey } from './scim-queries';
import { type ScimSettings, ScimSettingsFields } from './scim-settings-fields';

export function openCreateScimConnectionDialog(org: string, onCreated: (connection: ScimConnection) => void): void {
  const modalId = modals.open({
    title: t('scim.create'),
    closeButtonProps: { 'aria-label': t('common.close') },
    children: (
      <CreationForm
        org={org}
        onCreated={(connection) => {
          modals.close(modalId);
          onCreated(connection);
        }}
        onCancel={() => modals.close(modalId)}
      />
    ),
  });
}

interface Props {
  readonly org: string;
  readonly onCreated: (connection: ScimConnection) => void;
  readonly onCancel: () => void;
}

function CreationForm({ org, onCreated, onCancel }: Props) {
  const form = useForm<ScimSettings>({ initialValues: { name: '', adoptExistingUsers: false, allowLocalChanges: false } });
  const create = useApiMutation({
    mutationFn: async (body: ScimSettings) =>
      (await unwrap(api.POST('/v1/organizations/{org}/scim-connections', { params: { path: { org } }, body }))).data,
    invalidates: [scimKey(org)],
    successMessage: ({ name }) => t('scim.created', { name }),
    onSuccess: onCreated,
  });
  const { fields, rest } = formErrors(create.error, ['name']);
  return (
    <form onSubmit={form.onSubmit((settings) => create.mutate(settings))}>
      <Stack>
        <ScimSettingsFields form={form} errors={fields} />
        {rest !== undefined && <ErrorNotice error={rest} />}
        <DialogButtons submitLabel={t('scim.create')} isPending={create.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
