import { Button, Group, MultiSelect, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { formErrors } from '../../api/form-errors';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { notifyError } from '../../ui/notify';
import { LanguageSelect } from '../../ui/language-select';
import { useApiMutation } from '../../ui/use-api-mutation';
import { useHasPermission } from '../permissions';
import { type Metadata, validateMetadata, parseMetadata } from './metadata';
import { MetadataInput } from './metadata-input';
import { membersKey, rolesQuery, usersKey } from './user-queries';
import { dialogs } from '../../ui/dialogs';

interface Props {
  readonly org: string;
  readonly onCreated: (userId: string) => void;
}

export function openCreateUserDialog({ org, onCreated }: Props): void {
  const dialogId = dialogs.open({
    title: t('users.creation.title'),
    size: 'lg',
    children: (
      <CreateUserForm
        org={org}
        onCreated={(userId) => {
          dialogs.close(dialogId);
          onCreated(userId);
        }}
      />
    ),
  });
}

type Access = 'invitation' | 'active' | 'later';
const EMPTY = {
  email: '',
  firstName: '',
  lastName: '',
  displayName: '',
  phoneNumber: '',
  locale: '',
  externalId: '',
  roles: [] as string[],
  metadata: '',
  access: 'invitation' as Access,
};
const FIELDS = Object.keys(EMPTY);
const MORE_FIELDS = ['externalId', 'displayName', 'phoneNumber', 'locale', 'metadata'];

function CreateUserForm({ org, onCreated }: Props) {
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      email: (email) => (email.trim() === '' ? t('users.fields.emailRequired') : null),
      metadata: validateMetadata,
    },
  });
  const create = useApiMutation({
    mutationFn: ({ access, metadata, roles, ...texts }: typeof EMPTY) =>
      createUser(org, access, {
        ...withoutBlankTexts(texts),
        roles: roles.length > 0 ? roles : undefined,
        metadata: parseMetadata(metadata),
      }),
    invalidates: [usersKey(org), membersKey(org), ['organization', org]],
    successMessage: ({ email }) => t('users.creation.done', { email }),
    onSuccess: ({ id }) => onCreated(id),
  });
  const { rest: error } = formErrors(create.error, FIELDS);
  const submit = form.onSubmit((values) =>
    create.mutate(values, { onError: (error) => form.setErrors(formErrors(error, FIELDS).fields) }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t('users.fields.email')}
          type="email"
          required
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t('users.fields.firstName')} autoComplete="off" {...form.getInputProps('firstName')} />
          <TextInput label={t('users.fields.lastName')} autoComplete="off" {...form.getInputProps('lastName')} />
        </SimpleGrid>
        <RolesInput org={org} {...form.getInputProps('roles')} />
        <Radio.Group label={t('users.creation.access')} {...form.getInputProps('access')}>
          <Stack gap="xs" mt="xs">
            <Radio value="invitation" label={t('users.creation.invitation')} description={t('users.creation.invitationHint')} />
            <Radio value="active" label={t('users.creation.active')} description={t('users.creation.activeHint')} />
            <Radio value="later" label={t('users.creation.later')} description={t('users.creation.laterHint')} />
          </Stack>
        </Radio.Group>
        <MoreFields form={form} />
        {error !== undefined && <ErrorNotice error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {t('users.creation.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Optional fields, collapsed at first. Fields with errors are always visible. */
function MoreFields({ form }: { form: UseFormReturnType<typeof EMPTY> }) {
  const [isExpanded, { toggle }] = useDisclosure(false);
  const isOpen = isExpanded || MORE_FIELDS.some((name) => form.errors[name] !== undefined);
  return (
    <>
      <Button variant="subtle" onClick={toggle} aria-expanded={isOpen} style={{ alignSelf: 'flex-start' }} size="compact-sm">
        {t('users.creation.more')}
      </Button>
      {isOpen && (
        <Stack>
          <TextInput
            label={t('users.fields.externalId')}
            description={t('users.fields.externalIdHint')}
            {...form.getInputProps('externalId')}
          />
          <TextInput
            label={t('users.fields.displayName')}
            description={t('users.fields.displayNameHint')}
            {...form.getInputProps('displayName')}
          />
          <TextInput label={t('users.fields.phoneNumber')} type="tel" autoComplete="off" {...form.getInputProps('phoneNumber')} />
          <LanguageSelect
            label={t('users.fields.locale')}
            description={t('users.fields.localeHint')}
            clearable
            {...form.getInputProps('locale')}
          />
          <MetadataInput {...form.getInputProps('metadata')} />
        </Stack>
      )}
    </>
  );
}

/** Renders nothing when the caller can't read and assign roles. */
function RolesInput({ org, ...input }: { org: string }) {
  const canAssign = [useHasPermission('roles:read'), useHasPermission('members:write')].every(Boolean);
  const { data: roles = [] } = useQuery({ ...rolesQuery(org), enabled: canAssign });
  if (!canAssign) return null;
  return (
    <MultiSelect
      label={t('users.fields.roles')}
      description={t('users.fields.rolesHint')}
      data={roles.map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      clearable
      {...input}
    />
  );
}

interface NewUser {
  readonly email: string;
  readonly roles?: string[];
  readonly metadata?: Metadata;
}

const withoutBlankTexts = <Fields extends { email: string }>(texts: Fields): Fields =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => String(text).trim() !== '')) as Fields;

/**
 * Creates a user, and activates the user for the access `active`. If only the activation fails, shows an error and returns the
 * pending user.
 */
async function createUser(org: string, access: Access, user: NewUser): Promise<{ id: string; email: string }> {
  const { data } = await unwrap(
    api.POST('/v1/organizations/{org}/users', {
      params: { path: { org } },
      body: { ...user, sendInvitation: access === 'invitation' },
    }),
  );
  if (access === 'active')
    await unwrap(api.POST('/v1/organizations/{org}/users/{id}/activate', { params: { path: { org, id: data.id } } })).catch(
      (error: unknown) => notifyError(t('users.creation.notActivated'), error),
    );
  return data;
}
