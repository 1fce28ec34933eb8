import { Badge, Button, Group, Paper, Skeleton, Stack, Table, Text, TextInput, type TextInputProps, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { baseUrl } from '../../api/base-url';
import { api, type Schema, unwrap } from '../../api/client';
import { formErrors } from '../../api/form-errors';
import { roleName } from '../../api/role-name';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { LanguageSelect } from '../../ui/language-select';
import { notifySuccess } from '../../ui/notify';
import { PageHeader } from '../../ui/page-header';
import { PersonAvatar } from '../../ui/person-avatar';
import { useApiMutation } from '../../ui/use-api-mutation';
import { ChangeEmailForm } from './change-email-form';
import { downloadRecentlyAuthenticated } from '../reauthentication/download-recently-authenticated';
import { meQuery } from './account-queries';
import { useAccountMutation } from './use-account-mutation';
import { useUnsavedChanges } from '../../ui/unsaved-changes';

export function ProfilePage() {
  const { data: me, error, refetch } = useQuery(meQuery);
  return (
    <>
      <PageHeader title={t('account.profile.title')} description={t('account.profile.description')} />
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!me && !error && <Skeleton h={300} />}
      {me && (
        <Stack gap="lg">
          <ProfileForm me={me} key={me.updatedAt} />
          <Email me={me} />
          <Organizations me={me} />
          <OwnData />
        </Stack>
      )}
    </>
  );
}

const FIELDS = ['firstName', 'lastName', 'displayName', 'phoneNumber', 'picture', 'locale'] as const;

function ProfileForm({ me }: { me: Schema<'MeResponse'> }) {
  const form = useForm({
    initialValues: Object.fromEntries(FIELDS.map((name) => [name, me[name] ?? ''])) as Record<(typeof FIELDS)[number], string>,
  });
  useUnsavedChanges(form.isDirty());
  const save = useAccountMutation({
    mutationFn: (values: typeof form.values, currentPassword) => {
      const changed = FIELDS.filter((name) => values[name].trim() !== (me[name] ?? ''));
      const body = Object.fromEntries(changed.map((name) => [name, values[name].trim() || null]));
      return unwrap(
        api.PATCH('/v1/auth/me', { body: { ...body, ...(currentPassword === undefined ? {} : { currentPassword }) } }),
      );
    },
    invalidates: [['me'], ['session']],
    successMessage: t('common.saved'),
  });
  const submit = form.onSubmit((values) =>
    save.mutate(values, { onError: (error) => form.setErrors(formErrors(error, FIELDS).fields) }),
  );
  const { rest } = formErrors(save.error, FIELDS);
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit}>
      <Stack>
        <Group grow align="flex-start">
          <TextInput label={t('account.profile.firstName')} autoComplete="given-name" {...form.getInputProps('firstName')} />
          <TextInput label={t('account.profile.lastName')} autoComplete="family-name" {...form.getInputProps('lastName')} />
        </Group>
        <TextInput
          label={t('account.profile.displayName')}
          description={t('account.profile.displayNameHint')}
          autoComplete="name"
          {...form.getInputProps('displayName')}
        />
        <TextInput
          label={t('account.profile.phoneNumber')}
          description={t('account.profile.phoneNumberHint')}
          type="tel"
          autoComplete="tel"
          {...form.getInputProps('phoneNumber')}
        />
        <PictureField user={me} {...form.getInputProps('picture')} />
        <LanguageSelect
          label={t('account.profile.language')}
          description={t('account.profile.languageHint')}
          clearable
          {...form.getInputProps('locale')}
        />
        {rest !== undefined && <ErrorNotice error={rest} />}
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function PictureField({ user, ...input }: TextInputProps & { user: Schema<'MeResponse'> }) {
  const src = user.picture === undefined ? undefined : `${baseUrl}/v1/auth/me/picture`;
  return (
    <Group align="flex-end" wrap="nowrap">
      <PersonAvatar name={user.displayName ?? user.email} src={src} size={36} />
      <TextInput
        label={t('account.profile.picture')}
        description={t('account.profile.pictureHint')}
        type="url"
        flex={1}
        {...input}
      />
    </Group>
  );
}

function Email({ me }: { me: Schema<'MeResponse'> }) {
  const [isChanging, setChanging] = useState(false);
  const verification = useApiMutation({
    mutationFn: () => unwrap(api.POST('/v1/auth/verify-email/send')),
    invalidates: [['me']],
    onSuccess: ({ data }) =>
      notifySuccess(data.alreadyVerified ? t('account.profile.alreadyVerified') : t('account.profile.verificationSent')),
  });
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h3" mb="sm">
        {t('account.profile.email')}
      </Title>
      <Group justify="space-between">
        <Group gap="xs">
          <Text className="breakable">{me.email}</Text>
          <Badge color={me.emailVerified ? 'green' : 'yellow'} variant="light" tt="none">
            {me.emailVerified ? t('account.profile.verified') : t('account.profile.notVerified')}
          </Badge>
        </Group>
        <Group gap="xs">
          {!me.emailVerified && (
            <Button variant="default" onClick={() => verification.mutate()} loading={verification.isPending}>
              {t('account.profile.sendVerification')}
            </Button>
          )}
          {!isChanging && (
            <Button variant="default" onClick={() => setChanging(true)}>
              {t('account.profile.changeEmail')}
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
        {t('account.profile.organizations')}
      </Title>
      <Table aria-label={t('account.profile.organizations')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('common.organization')}</Table.Th>
            <Table.Th>{t('account.profile.role')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {me.organizations.map(({ id, name, roles, role }) => (
            <Table.Tr key={id}>
              <Table.Td className="breakable">{name}</Table.Td>
              <Table.Td>{roles.map(({ name }) => roleName(name)).join(', ') || roleName(role)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function OwnData() {
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h3" mb="sm">
        {t('account.profile.data')}
      </Title>
      <Group justify="space-between">
        <Text size="sm">{t('account.profile.dataHint')}</Text>
        <Button variant="default" onClick={() => void downloadRecentlyAuthenticated('/v1/auth/me/export')}>
          {t('account.profile.exportData')}
        </Button>
      </Group>
    </Paper>
  );
}
