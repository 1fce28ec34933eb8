import { TagsInput } from '@mantine/core';
import { t } from '../../texts';
import type { ApplicationType } from './application-queries';

/** Examples of redirect URIs, by the type of the application. */
const EXAMPLES: Readonly<Record<ApplicationType, string>> = {
  web: 'https://app.example.com/callback',
  single_page: 'https://app.example.com/',
  native: 'com.example.app:/callback',
  machine: '',
};

interface Props {
  readonly form: { readonly getInputProps: (field: 'redirectUris' | 'postLogoutRedirectUris') => object };
  readonly type: ApplicationType;
  readonly errors: Readonly<Record<string, string>>;
  readonly isReadOnly?: boolean;
}

/** Edits the addresses to which users return after the sign-in and the sign-out. */
export function AddressFields({ form, type, errors, isReadOnly = false }: Props) {
  if (type === 'machine') return null;
  return (['redirectUris', 'postLogoutRedirectUris'] as const).map((field) => (
    <TagsInput
      key={field}
      label={t(`applications.${field}`)}
      description={t(`applications.${field}Hint`)}
      placeholder={field === 'redirectUris' ? EXAMPLES[type] : undefined}
      required={field === 'redirectUris'}
      splitChars={[',', ' ', '\n']}
      acceptValueOnBlur
      disabled={isReadOnly}
      {...form.getInputProps(field)}
      error={errors[field]}
    />
  ));
}
