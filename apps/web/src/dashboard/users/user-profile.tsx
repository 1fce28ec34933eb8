import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { texts } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { Moment } from '../../ui/moment';
import { useMay } from '../permissions';
import { ChangedMeanwhile } from './changed-meanwhile';
import { MetadataInput } from './metadata-input';
import { useProfileForm } from './use-profile-form';
import type { User } from './user-queries';

const { fields, user: words, columns } = texts.users;

/** The profile of a user, to be seen and changed. */
export function UserProfile({ org, user, etag }: { org: string; user: User; etag: string }) {
  const mayWrite = useMay('users:write');
  const { form, base, isDirty, isOutdated, isSaving, error, save, saveOnTop, discard } = useProfileForm(org, { user, etag });
  const readOnly = !mayWrite || user.status === 'deleted';
  const field = (name: keyof typeof form.values) => ({ ...form.getInputProps(name), readOnly, autoComplete: 'off' });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack maw={760}>
        {readOnly && <Alert color="gray">{mayWrite ? words.deletedNoEdit : words.noEdit}</Alert>}
        <TextInput
          label={fields.email}
          type="email"
          description={form.isDirty('email') ? words.emailChanges : undefined}
          {...field('email')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={fields.firstName} {...field('firstName')} />
          <TextInput label={fields.lastName} {...field('lastName')} />
        </SimpleGrid>
        <TextInput label={fields.displayName} description={fields.displayNameHint} {...field('displayName')} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={fields.phoneNumber} type="tel" {...field('phoneNumber')} />
          <TextInput label={fields.picture} type="url" {...field('picture')} />
        </SimpleGrid>
        <TextInput label={fields.externalId} description={fields.externalIdHint} {...field('externalId')} />
        <MetadataInput {...form.getInputProps('metadata')} readOnly={readOnly} formatOnBlur={!readOnly} />
        {isOutdated && (
          <ChangedMeanwhile
            before={base.user}
            now={user}
            mine={form.values}
            isSaving={isSaving}
            onKeepMine={saveOnTop}
            onDiscardMine={discard}
          />
        )}
        {error && <ErrorNotice error={error} />}
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {columns.created} <Moment at={user.createdAt} /> · {words.lastChange} <Moment at={user.updatedAt} />
          </Text>
          {!readOnly && !isOutdated && (
            <Group gap="sm">
              {isDirty && (
                <Button variant="default" onClick={discard} disabled={isSaving}>
                  {words.discard}
                </Button>
              )}
              <Button type="submit" disabled={!isDirty} loading={isSaving}>
                {texts.common.save}
              </Button>
            </Group>
          )}
        </Group>
      </Stack>
    </form>
  );
}
