import { Checkbox, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api, unwrap } from '../../../api/client';
import { formErrors } from '../../../api/form-errors';
import { t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { type ScimConnection, scimKey } from './scim-queries';
import { type ScimSettings, ScimSettingsFields } from './scim-settings-fields';
import { dialogs } from '../../../ui/dialogs';

/** As the API. */
const DEFAULT_MAX_REMOVALS = 100;

export function openCreateScimConnectionDialog(org: string, onCreated: (connection: ScimConnection) => void): void {
  const dialogId = dialogs.open({
    title: t('scim.create'),
    children: (
      <CreationForm
        org={org}
        onCreated={(connection) => {
          dialogs.close(dialogId);
          onCreated(connection);
        }}
        onCancel={() => dialogs.close(dialogId)}
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
  const form = useForm<ScimSettings & { isPreview: boolean }>({
    initialValues: {
      name: '',
      adoptExistingUsers: false,
      allowLocalChanges: false,
      maxRemovals: DEFAULT_MAX_REMOVALS,
      maxRemovalPercent: null,
      isPreview: true,
    },
  });
  const create = useApiMutation({
    mutationFn: async ({ isPreview, ...settings }: ScimSettings & { isPreview: boolean }) => {
      const body = { ...settings, mode: isPreview ? ('preview' as const) : ('active' as const) };
      return (await unwrap(api.POST('/v1/organizations/{org}/scim-connections', { params: { path: { org } }, body }))).data;
    },
    invalidates: [scimKey(org)],
    successMessage: ({ name }) => t('scim.created', { name }),
    onSuccess: onCreated,
  });
  const { fields, rest } = formErrors(create.error, ['name', 'maxRemovals', 'maxRemovalPercent']);
  return (
    <form onSubmit={form.onSubmit((settings) => create.mutate(settings))}>
      <Stack>
        <ScimSettingsFields form={form} errors={fields} />
        <Checkbox
          label={t('scim.startInPreview')}
          description={t('scim.startInPreviewHint')}
          {...form.getInputProps('isPreview', { type: 'checkbox' })}
        />
        {rest !== undefined && <ErrorNotice error={rest} />}
        <DialogButtons submitLabel={t('scim.create')} isPending={create.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
