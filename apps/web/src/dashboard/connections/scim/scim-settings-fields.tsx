import { Checkbox, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { t } from '../../../texts';

/** The settings of a SCIM connection. */
export interface ScimSettings {
  readonly name: string;
  readonly adoptExistingUsers: boolean;
  readonly allowLocalChanges: boolean;
}

interface Props {
  readonly form: Pick<UseFormReturnType<ScimSettings>, 'getInputProps'>;
  readonly errors: Readonly<Record<string, string>>;
  readonly isReadOnly?: boolean;
}

export function ScimSettingsFields({ form, errors, isReadOnly = false }: Props) {
  return (
    <>
      <TextInput
        label={t('scim.name')}
        description={t('scim.nameHint')}
        placeholder="Okta"
        required
        maxLength={100}
        autoComplete="off"
        data-autofocus
        readOnly={isReadOnly}
        {...form.getInputProps('name')}
        error={errors['name']}
      />
      <Checkbox
        label={t('scim.adoptExistingUsers')}
        description={t('scim.adoptExistingUsersHint')}
        disabled={isReadOnly}
        {...form.getInputProps('adoptExistingUsers', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('scim.allowLocalChanges')}
        description={t('scim.allowLocalChangesHint')}
        disabled={isReadOnly}
        {...form.getInputProps('allowLocalChanges', { type: 'checkbox' })}
      />
    </>
  );
}
