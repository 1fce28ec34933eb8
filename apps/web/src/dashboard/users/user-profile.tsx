import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { LanguageSelect } from '../../ui/language-select';
import { RelativeTime } from '../../ui/relative-time';
import { useAsOf } from '../as-of/use-as-of';
import { useIsProvisioned } from '../managed-by';
import { useHasPermission } from '../permissions';
import { EditConflict } from './edit-conflict';
import { MetadataInput } from './metadata-input';
import { useProfileForm } from './use-profile-form';
import type { User } from './user-queries';

export function UserProfile({ org, user, etag }: { org: string; user: User; etag: string }) {
  const canWrite = useHasPermission('users:write');
  const { form, base, isDirty, isOutdated, isSaving, error, save, overwrite, discard } = useProfileForm(org, { user, etag });
  const isPast = useAsOf().asOf !== undefined;
  const isReadOnly = isPast || !canWrite || user.status === 'deleted';
  const isProvisioned = useIsProvisioned(org, user.managedBy);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack maw={760}>
        {isReadOnly && !isPast && <Alert color="gray">{canWrite ? t('users.user.deletedNoEdit') : t('users.user.noEdit')}</Alert>}
        {isProvisioned && !isReadOnly && <Alert color="gray">{t('users.user.provisioned')}</Alert>}
        <ProfileFields form={form} isReadOnly={isReadOnly} isProvisioned={isProvisioned} />
        {isOutdated && (
          <EditConflict
            before={base.user}
            current={user}
            mine={form.values}
            isSaving={isSaving}
            onKeepMine={overwrite}
            onDiscardMine={discard}
          />
        )}
        {error !== undefined && <ErrorNotice error={error} />}
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {t('users.columns.created')} <RelativeTime at={user.createdAt} /> · {t('users.user.lastChange')}{' '}
            <RelativeTime at={user.updatedAt} />
          </Text>
          {!isReadOnly && !isOutdated && (
            <Group gap="sm">
              {isDirty && (
                <Button variant="default" onClick={discard} disabled={isSaving}>
                  {t('users.user.discard')}
                </Button>
              )}
              <Button type="submit" disabled={!isDirty} loading={isSaving}>
                {t('common.save')}
              </Button>
            </Group>
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface FieldsProps {
  readonly form: ReturnType<typeof useProfileForm>['form'];
  readonly isReadOnly: boolean;
  /** Whether only a directory can change the fields that it sends. */
  readonly isProvisioned: boolean;
}

/** The fields that a directory sends and users can't choose. */
const PROVISIONED_FIELDS: ReadonlySet<string> = new Set(['email', 'firstName', 'lastName', 'displayName', 'phoneNumber']);

function ProfileFields({ form, isReadOnly, isProvisioned }: FieldsProps) {
  const field = (name: keyof typeof form.values) => ({
    ...form.getInputProps(name),
    readOnly: isReadOnly || (isProvisioned && PROVISIONED_FIELDS.has(name)),
    autoComplete: 'off',
  });
  return (
    <>
      <TextInput
        label={t('users.fields.email')}
        type="email"
        description={form.isDirty('email') ? t('users.user.emailChanges') : undefined}
        {...field('email')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t('users.fields.firstName')} {...field('firstName')} />
        <TextInput label={t('users.fields.lastName')} {...field('lastName')} />
      </SimpleGrid>
      <TextInput
        label={t('users.fields.displayName')}
        description={t('users.fields.displayNameHint')}
        {...field('displayName')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t('users.fields.phoneNumber')} type="tel" {...field('phoneNumber')} />
        <TextInput label={t('users.fields.picture')} type="url" {...field('picture')} />
      </SimpleGrid>
      <LanguageSelect
        label={t('users.fields.locale')}
        description={t('users.fields.localeHint')}
        clearable
        {...field('locale')}
      />
      <TextInput label={t('users.fields.externalId')} description={t('users.fields.externalIdHint')} {...field('externalId')} />
      <MetadataInput {...form.getInputProps('metadata')} readOnly={isReadOnly} formatOnBlur={!isReadOnly} />
    </>
  );
}
