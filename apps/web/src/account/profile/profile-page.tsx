import { Badge, Button, Group, Paper, Skeleton, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { texts } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { notifySuccess } from '../../ui/notify';
import { PageHeader } from '../../ui/page-header';
import { useChange } from '../../ui/use-change';
import { ChangeEmailForm } from './change-email-form';
import { meQuery } from './own-account';
import { useOwnChange } from './use-own-change';

const words = texts.account.profile;

/** What one is called, how one is reached, and where one belongs. */
export function ProfilePage() {
  const { data: me, error, refetch } = useQuery(meQuery);
  return (
    <>
      <PageHeader title={words.title} description={words.description} />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!me && !error && <Skeleton h={300} />}
      {me && (
        <Stack gap="lg">
          <ProfileForm me={me} key={me.updatedAt} />
          <Email me={me} />
          <Organizations me={me} />
        </Stack>
      )}
    </>
  );
}

const FIELDS = ['firstName', 'lastName', 'displayName', 'phoneNumber'] as const;

function ProfileForm({ me }: { me: Schema<'MeResponse'> }) {
  const form = useForm({
    initialValues: Object.fromEntries(FIELDS.map((name) => [name, me[name] ?? ''])) as Record<(typeof FIELDS)[number], string>,
  });
  const save = useOwnChange({
    run: (values: typeof form.values, currentPassword) => {
      const changed = FIELDS.filter((name) => values[name].trim() !== (me[name] ?? ''));
      const body = Object.fromEntries(changed.map((name) => [name, values[name].trim() || null]));
      return answerOf(
        api.PATCH('/v1/auth/me', { body: { ...body, ...(currentPassword === undefined ? {} : { currentPassword }) } }),
      );
    },
    outdates: [['me'], ['session']],
    done: texts.common.saved,
  });
  const submit = form.onSubmit((values) =>
    save.mutate(values, { onError: (error) => error instanceof ApiProblem && form.setErrors(error.byField()) }),
  );
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit}>
      <Stack>
        <Group grow align="flex-start">
          <TextInput label={words.firstName} autoComplete="given-name" {...form.getInputProps('firstName')} />
          <TextInput label={words.lastName} autoComplete="family-name" {...form.getInputProps('lastName')} />
        </Group>
        <TextInput
          label={words.displayName}
          description={words.displayNameHint}
          autoComplete="name"
          {...form.getInputProps('displayName')}
        />
        <TextInput
          label={words.phoneNumber}
          description={words.phoneNumberHint}
          type="tel"
          autoComplete="tel"
          {...form.getInputProps('phoneNumber')}
        />
        {save.error && <ErrorNotice error={save.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {texts.common.save}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function Email({ me }: { me: Schema<'MeResponse'> }) {
  const [isChanging, setChanging] = useState(false);
  const verification = useChange({
    run: () => answerOf(api.POST('/v1/auth/verify-email/send')),
    outdates: [['me']],
    onDone: ({ data }) => notifySuccess(data.alreadyVerified ? words.alreadyVerified : words.verificationSent),
  });
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h3" mb="sm">
        {words.email}
      </Title>
      <Group justify="space-between">
        <Group gap="xs">
          <Text className="breakable">{me.email}</Text>
          <Badge color={me.emailVerified ? 'green' : 'yellow'} variant="light" tt="none">
            {me.emailVerified ? words.verified : words.notVerified}
          </Badge>
        </Group>
        <Group gap="xs">
          {!me.emailVerified && (
            <Button variant="default" onClick={() => verification.mutate()} loading={verification.isPending}>
              {words.sendVerification}
            </Button>
          )}
          {!isChanging && (
            <Button variant="default" onClick={() => setChanging(true)}>
              {words.changeEmail}
            </Button>
          )}
        </Group>
      </Group>
      {verification.error && <ErrorNotice error={verification.error} />}
      {isChanging && <ChangeEmailForm onDone={() => setChanging(false)} />}
    </Paper>
  );
}

function Organizations({ me }: { me: Schema<'MeResponse'> }) {
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h3" mb="sm">
        {words.organizations}
      </Title>
      <Table aria-label={words.organizations}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.common.organization}</Table.Th>
            <Table.Th>{words.role}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {me.organizations.map(({ id, name, roles, role }) => (
            <Table.Tr key={id}>
              <Table.Td className="breakable">{name}</Table.Td>
              <Table.Td>{roles.map((each) => each.name).join(', ') || role}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
