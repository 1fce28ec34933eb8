import { Badge, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { confirm } from '../../ui/confirm';
import { DateTimeInput } from '../../ui/date-time-input';
import { ErrorNotice } from '../../ui/error-notice';
import { formatDateTime } from '../../ui/format-date-time';
import { showNewSecret } from '../../ui/new-secret-dialog';
import { useApiMutation } from '../../ui/use-api-mutation';
import { useOrganizationId } from '../organization';
import { useHasPermission } from '../permissions';

type Migration = Schema<'PasswordMigrationResponse'>;
const PATH = '/v1/organizations/{org}/password-migration';
const queryKey = (org: string) => ['password-migration', org];

/** The previous system that confirms passwords of users who have none here. */
export function PasswordMigration() {
  const org = useOrganizationId();
  const canChange = useHasPermission('*');
  const [isEditing, setEditing] = useState(false);
  const query = useQuery({
    queryKey: queryKey(org),
    queryFn: async (): Promise<Migration | null> => {
      const call = unwrap(api.GET(PATH, { params: { path: { org } } }));
      return call.then(
        ({ data }) => data,
        (error: unknown) => {
          if (error instanceof ApiProblem && error.code === 'password_migration_not_found') return null;
          throw error;
        },
      );
    },
  });
  const { data: migration } = query;
  if (query.isPending) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h3">
          {t('passwordMigration.title')}
        </Title>
        <Text size="sm">{t('passwordMigration.description')}</Text>
        {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
        {migration && <CurrentMigration migration={migration} />}
        {!canChange && <Text size="sm">{t('passwordMigration.notAllowed')}</Text>}
        {canChange && migration !== undefined && !isEditing && (
          <Group>
            <Button variant="default" onClick={() => setEditing(true)}>
              {t(migration ? 'passwordMigration.change' : 'passwordMigration.set')}
            </Button>
            {migration && <EndMigration />}
          </Group>
        )}
        {isEditing && <MigrationForm migration={migration} onDone={() => setEditing(false)} />}
      </Stack>
    </Paper>
  );
}

function CurrentMigration({ migration: { url, endsAt, active } }: { migration: Migration }) {
  return (
    <Group gap="xs">
      <Text size="sm" className="breakable">
        {url}
      </Text>
      <Badge variant="default" tt="none">
        {t(active ? 'passwordMigration.activeUntil' : 'passwordMigration.endedAt', { at: formatDateTime(endsAt) })}
      </Badge>
    </Group>
  );
}

function EndMigration() {
  const org = useOrganizationId();
  const end = useApiMutation({
    mutationFn: () => unwrap(api.DELETE(PATH, { params: { path: { org } } })),
    invalidates: [queryKey(org)],
    successMessage: t('passwordMigration.ended'),
  });
  const openConfirmation = () =>
    confirm({
      title: t('passwordMigration.endTitle'),
      consequences: t('passwordMigration.endText'),
      confirmLabel: t('passwordMigration.end'),
      isDangerous: true,
      action: () => end.mutateAsync(),
    });
  return (
    <Button variant="subtle" color="red" onClick={openConfirmation}>
      {t('passwordMigration.end')}
    </Button>
  );
}

function MigrationForm({ migration, onDone }: { migration: Migration | null | undefined; onDone: () => void }) {
  const org = useOrganizationId();
  const [url, setUrl] = useState(migration?.url ?? '');
  const [endsAt, setEndsAt] = useState(migration?.endsAt);
  const save = useApiMutation({
    mutationFn: () => unwrap(api.PATCH(PATH, { params: { path: { org } }, body: { url, endsAt } })),
    invalidates: [queryKey(org)],
    successMessage: t('passwordMigration.saved'),
    onSuccess: ({ data: { secret } }) => {
      onDone();
      if (secret !== undefined)
        showNewSecret({
          title: t('passwordMigration.secretTitle'),
          warning: t('passwordMigration.secretWarning'),
          secret: { label: t('passwordMigration.secret'), value: secret },
          confirmLabel: t('passwordMigration.secretStored'),
        });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('passwordMigration.url')}
          description={t('passwordMigration.urlHint')}
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          type="url"
          required
        />
        <DateTimeInput label={t('passwordMigration.endsAt')} value={endsAt} onChange={setEndsAt} required maw={280} />
        {save.error && <ErrorNotice error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('common.save')}
          </Button>
          <Button variant="default" onClick={onDone} disabled={save.isPending}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
