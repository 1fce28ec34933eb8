import { Radio, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type FormEvent, useState } from 'react';
import { unwrap } from '../../../api/client';
import { t } from '../../../texts';
import { DialogButtons } from '../../../ui/dialog-buttons';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { DEFAULT_OVERLAP_SECONDS, OVERLAPS } from '../overlaps';
import { showNewScimToken } from './new-scim-token';
import { type ScimConnection, type ScimScope, type ScimToken, scimTokensKey } from './scim-queries';

interface Props extends ScimScope {
  readonly connection: ScimConnection;
  readonly token: ScimToken;
  readonly onClose: () => void;
}

/** Opens the dialog that rotates a token: asks how long the previous token works, and shows the new token. */
export function openRotateScimTokenDialog(scope: ScimScope, connection: ScimConnection, token: ScimToken): void {
  const modalId = modals.open({
    title: t('scim.token.rotateTitle', { name: token.name }),
    closeButtonProps: { 'aria-label': t('common.close') },
    children: <RotationForm {...scope} connection={connection} token={token} onClose={() => modals.close(modalId)} />,
  });
}

function RotationForm({ client, org, connection, token: { id }, onClose }: Props) {
  const [overlap, setOverlap] = useState(String(DEFAULT_OVERLAP_SECONDS));
  const rotate = useApiMutation({
    mutationFn: async () => {
      const params = { path: { org, connection: connection.id, id } };
      const body = { expiresInSeconds: Number(overlap) };
      const path = '/v1/organizations/{org}/scim-connections/{connection}/tokens/{id}/rotate';
      return (await unwrap(client.POST(path, { params, body }))).data;
    },
    invalidates: [scimTokensKey(org, connection.id)],
    onSuccess: ({ token }) => {
      onClose();
      showNewScimToken(connection, token);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rotate.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('scim.token.rotateText')}</Text>
        <Radio.Group label={t('scim.token.overlap')} value={overlap} onChange={setOverlap}>
          <Stack gap="xs" mt="xs">
            {OVERLAPS.map(([seconds, label]) => (
              <Radio key={seconds} value={String(seconds)} label={t(label)} />
            ))}
          </Stack>
        </Radio.Group>
        {rotate.error && <ErrorNotice error={rotate.error} />}
        <DialogButtons submitLabel={t('scim.token.rotate')} isPending={rotate.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
