import { Checkbox, NumberInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { t } from '../../../texts';

/** The settings of a SCIM connection. */
export interface ScimSettings {
  readonly name: string;
  readonly adoptExistingUsers: boolean;
  readonly allowLocalChanges: boolean;
  readonly maxRemovals: number | null;
  readonly maxRemovalPercent: number | null;
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
      <Limit name="maxRemovals" max={1_000_000} form={form} error={errors['maxRemovals']} isReadOnly={isReadOnly} />
      <Limit name="maxRemovalPercent" max={100} form={form} error={errors['maxRemovalPercent']} isReadOnly={isReadOnly} />
    </>
  );
}

interface LimitProps extends Pick<Props, 'form'> {
  readonly name: 'maxRemovals' | 'maxRemovalPercent';
  readonly max: number;
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
}

/** A limit of removals. An empty field means no limit. */
function Limit({ name, max, form, error, isReadOnly }: LimitProps) {
  const { value, onChange } = form.getInputProps(name) as {
    value: number | null;
    onChange: (next: number | null) => void;
  };
  return (
    <NumberInput
      label={t(`scim.${name}`)}
      description={t(`scim.${name}Hint`)}
      min={1}
      max={max}
      allowDecimal={false}
      readOnly={isReadOnly}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' ? null : Number(next))}
      error={error}
    />
  );
}
