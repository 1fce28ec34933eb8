import { Alert, Anchor, Button, Grid, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { TrashIcon } from '@primer/octicons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { api, unwrap } from '../../../api/client';
import { formErrors } from '../../../api/form-errors';
import { ApiProblem } from '../../../api/problem';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { PageHeader } from '../../../ui/page-header';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { useOrganizationId } from '../../organization';
import { useHasPermission } from '../../permissions';
import { confirmScimDeletion } from './delete-scim-connection';
import { DirectoryInstructions } from './directory-instructions';
import { ScimMode } from './scim-mode';
import { type ScimConnection, scimConnectionQuery, scimKey } from './scim-queries';
import { type ScimSettings, ScimSettingsFields } from './scim-settings-fields';
import { ScimTokens } from './scim-tokens';
import { useUnsavedChanges } from '../../../ui/unsaved-changes';

export function ScimConnectionPage() {
  const org = useOrganizationId();
  const { connectionId } = useParams({ from: '/dashboard/organizations/$org/scim/$connectionId' });
  const query = useQuery({ ...scimConnectionQuery({ client: api, org }, connectionId), refetchOnWindowFocus: false });
  return (
    <>
      <Anchor component={Link} to={`/dashboard/organizations/${org}/scim`} size="sm">
        {t('scim.back')}
      </Anchor>
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton h={480} />}
      {query.data && <LoadedConnection org={org} {...query.data} />}
    </>
  );
}

interface Props {
  readonly org: string;
  readonly connection: ScimConnection;
  readonly etag: string;
}

function LoadedConnection({ org, connection, etag }: Props) {
  const canWrite = useHasPermission('*');
  const canRevoke = useHasPermission('scim:write');
  return (
    <>
      <PageHeader title={connection.name} description={t('scim.connectionDescription')} />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="xl">
            <ScimMode org={org} connection={connection} canWrite={canWrite} />
            <ScimTokens
              client={api}
              org={org}
              connection={connection}
              canWrite={canWrite}
              canRevoke={canRevoke}
              headingOrder={2}
            />
            <Stack gap="sm">
              <Title order={2}>{t('scim.directory')}</Title>
              <DirectoryInstructions baseUrl={connection.baseUrl} headingOrder={3} />
            </Stack>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="xl">
            <Stack gap="sm">
              <Title order={2}>{t('scim.settings')}</Title>
              {/* The key resets the form to the saved values. */}
              <SettingsForm key={etag} org={org} connection={connection} etag={etag} isReadOnly={!canWrite} />
            </Stack>
            {canWrite && <Deletion org={org} connection={connection} />}
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function SettingsForm({ org, connection, etag, isReadOnly }: Props & { isReadOnly: boolean }) {
  const client = useQueryClient();
  const { id, name, adoptExistingUsers, allowLocalChanges, maxRemovals, maxRemovalPercent } = connection;
  const initialValues = { name, adoptExistingUsers, allowLocalChanges, maxRemovals, maxRemovalPercent };
  const form = useForm<ScimSettings>({ initialValues });
  useUnsavedChanges(form.isDirty());
  const update = useApiMutation({
    mutationFn: async (body: ScimSettings) => {
      const params = { path: { org, id }, header: { 'If-Match': etag } };
      return (await unwrap(api.PATCH('/v1/organizations/{org}/scim-connections/{id}', { params, body }))).data;
    },
    invalidates: [scimKey(org)],
    successMessage: (saved) => t('scim.saved', { name: saved.name }),
  });
  const isOutdated = update.error instanceof ApiProblem && update.error.status === 412;
  const { fields, rest } = formErrors(isOutdated ? null : update.error, ['name', 'maxRemovals', 'maxRemovalPercent']);
  return (
    <form onSubmit={form.onSubmit((settings) => update.mutate(settings))}>
      <Stack>
        {isReadOnly && <Alert color="gray">{t('scim.cannotWrite')}</Alert>}
        <ScimSettingsFields form={form} errors={fields} isReadOnly={isReadOnly} />
        {isOutdated && (
          <Alert color="yellow" role="alert">
            <Stack align="flex-start" gap="xs">
              <Text size="sm">{t('scim.editConflict')}</Text>
              <Button
                size="xs"
                variant="default"
                onClick={() => void client.invalidateQueries({ queryKey: [...scimKey(org), id] })}
              >
                {t('scim.reload')}
              </Button>
            </Stack>
          </Alert>
        )}
        {rest !== undefined && <ErrorNotice error={rest} />}
        {!isReadOnly && (
          <Group>
            <Button type="submit" disabled={!form.isDirty()} loading={update.isPending}>
              {t('common.save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

function Deletion({ org, connection }: Pick<Props, 'org' | 'connection'>) {
  const navigate = useNavigate();
  const leave = () => navigate({ to: `/dashboard/organizations/${org}/scim` });
  return (
    <Stack gap="sm" align="flex-start">
      <Title order={2}>{t('scim.delete')}</Title>
      <Text size="sm" c="dimmed">
        {t('scim.deleteText')}
      </Text>
      <Button
        variant="light"
        color="red"
        leftSection={<TrashIcon size={16} />}
        onClick={() => confirmScimDeletion({ client: api, org }, connection, leave)}
      >
        {t('scim.delete')}
      </Button>
    </Stack>
  );
}
