import { Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { unwrap } from '../../../api/client';
import { formErrors } from '../../../api/form-errors';
import { t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { expiryError, ExpiryFields, expiryOf, type ExpiryValues } from '../expiry';
import { showNewScimToken } from './new-scim-token';
import { type ScimConnection, type ScimScope, scimTokensKey } from './scim-queries';
import { dialogs } from '../../../ui/dialogs';

interface Fields extends ExpiryValues {
  readonly name: string;
  readonly allowedNetworks: string[];
}

interface Props extends ScimScope {
  readonly connection: ScimConnection;
  readonly onClose: () => void;
}

export function openCreateScimTokenDialog(scope: ScimScope, connection: ScimConnection): void {
  const dialogId = dialogs.open({
    title: t('scim.token.create'),
    children: <CreationForm {...scope} connection={connection} onClose={() => dialogs.close(dialogId)} />,
  });
}

function CreationForm({ client, org, connection, onClose }: Props) {
  const create = useApiMutation({
    mutationFn: async (fields: Fields) => {
      const { name, allowedNetworks } = fields;
      const expiresAt = expiryOf(fields)?.toISOString();
      const params = { path: { org, connection: connection.id } };
      const body = { name, ...(expiresAt ? { expiresAt } : {}), ...(allowedNetworks.length > 0 ? { allowedNetworks } : {}) };
      return (await unwrap(client.POST('/v1/organizations/{org}/scim-connections/{connection}/tokens', { params, body }))).data;
    },
    invalidates: [scimTokensKey(org, connection.id)],
    onSuccess: ({ token }) => {
      onClose();
      showNewScimToken(connection, token);
    },
  });
  const form = useForm<Fields>({
    initialValues: { name: connection.name, expiry: 'never', date: '', allowedNetworks: [] },
    validate: { date: (_date, fields) => expiryError(fields) },
  });
  const { fields, rest } = formErrors(create.error, ['name', 'expiresAt']);
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack>
        <TextInput
          label={t('scim.token.name')}
          description={t('scim.token.nameHint')}
          required
          maxLength={100}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
          error={fields['name']}
        />
        <ExpiryFields form={form} neverHint={t('scim.token.neverHint')} error={fields['expiresAt']} />
        <TagsInput
          label={t('apiKeys.networks')}
          description={t('apiKeys.networksHint')}
          placeholder="203.0.113.0/24"
          splitChars={[',', ' ']}
          {...form.getInputProps('allowedNetworks')}
        />
        {rest !== undefined && <ErrorNotice error={rest} />}
        <DialogButtons submitLabel={t('scim.token.create')} isPending={create.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
