import { Button, Group, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { TrashIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { unwrap } from '../api/client';
import { formErrors } from '../api/form-errors';
import { confirmScimDeletion } from '../dashboard/connections/scim/delete-scim-connection';
import { DirectoryInstructions } from '../dashboard/connections/scim/directory-instructions';
import { showNewScimToken } from '../dashboard/connections/scim/new-scim-token';
import {
  type ScimConnection,
  scimConnectionsQuery,
  scimKey,
  type ScimScope,
  scimTokensQuery,
} from '../dashboard/connections/scim/scim-queries';
import { ScimTokens } from '../dashboard/connections/scim/scim-tokens';
import { t } from '../texts';
import { ErrorNotice } from '../ui/error-notice';
import { StatusBadge } from '../ui/status-badge';
import { useApiMutation } from '../ui/use-api-mutation';
import type { SetupScope } from './setup-scope';

/** Creates a SCIM connection with a token, and shows the values for the directory. */
export function ScimStep({ client, org }: SetupScope) {
  const scope = { client, org };
  const [isOpen, setOpen] = useState(false);
  const query = useQuery(scimConnectionsQuery(scope));
  const connections = query.data?.data;
  const createToken = useApiMutation({
    mutationFn: async (connection: ScimConnection) => {
      const params = { path: { org, connection: connection.id } };
      const body = { name: connection.name };
      const path = '/v1/organizations/{org}/scim-connections/{connection}/tokens';
      const { data } = await unwrap(client.POST(path, { params, body }));
      return { connection, token: data.token };
    },
    invalidates: [scimKey(org)],
    onSuccess: ({ connection, token }) => showNewScimToken(connection, token),
  });
  const createFirstToken = (connection: ScimConnection) => {
    setOpen(false);
    createToken.mutate(connection);
  };
  return (
    <Stack gap="lg">
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton h={80} />}
      {connections?.map((connection) => (
        <ConnectedDirectory
          key={connection.id}
          {...scope}
          connection={connection}
          tokenError={createToken.variables?.id === connection.id ? createToken.error : null}
          onRetryToken={() => createToken.mutate(connection)}
        />
      ))}
      {connections && (isOpen || connections.length === 0) && <ConnectForm {...scope} onConnected={createFirstToken} />}
      {connections && !isOpen && connections.length > 0 && (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('setup.scim.another')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function ConnectForm({ client, org, onConnected }: ScimScope & { onConnected: (connection: ScimConnection) => void }) {
  const [name, setName] = useState('');
  const create = useApiMutation({
    mutationFn: async () => {
      const call = client.POST('/v1/organizations/{org}/scim-connections', { params: { path: { org } }, body: { name } });
      return (await unwrap(call)).data;
    },
    invalidates: [scimKey(org)],
    onSuccess: onConnected,
  });
  const { fields, rest } = formErrors(create.error, ['name']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('scim.name')}
          description={t('scim.nameHint')}
          placeholder="Okta"
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fields['name']}
        />
        {rest !== undefined && <ErrorNotice error={rest} />}
        <Group>
          <Button type="submit" loading={create.isPending}>
            {t('setup.scim.connect')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ConnectedDirectoryProps extends ScimScope {
  readonly connection: ScimConnection;
  /** The error of the request for the first token. */
  readonly tokenError: Error | null;
  readonly onRetryToken: () => void;
}

function ConnectedDirectory({ client, org, connection, tokenError, onRetryToken }: ConnectedDirectoryProps) {
  const tokens = useQuery(scimTokensQuery({ client, org }, connection.id));
  const hasNoToken = tokens.data?.data.length === 0;
  return (
    <Paper withBorder p="md" component="section" aria-label={connection.name}>
      <Stack gap="lg">
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={3} className="breakable">
              {connection.name}
            </Title>
            <StatusBadge status={connection.mode} label={t(`scim.modes.${connection.mode}`)} />
          </Group>
          <Button
            size="xs"
            variant="light"
            color="red"
            leftSection={<TrashIcon size={14} />}
            onClick={() => confirmScimDeletion({ client, org }, connection)}
          >
            {t('scim.delete')}
          </Button>
        </Group>
        {connection.mode !== 'active' && <Text size="sm">{t(`scim.modeTexts.${connection.mode}`)}</Text>}
        <DirectoryInstructions baseUrl={connection.baseUrl} headingOrder={4} />
        {tokenError && hasNoToken && (
          <ErrorNotice title={t('setup.scim.tokenFailed')} error={tokenError} onRetry={onRetryToken} />
        )}
        <ScimTokens client={client} org={org} connection={connection} canWrite canRevoke headingOrder={4} />
      </Stack>
    </Paper>
  );
}
