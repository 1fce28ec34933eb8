import { Switch, TagsInput } from '@mantine/core';
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
  readonly form: {
    readonly values: { readonly deviceSignIn: boolean };
    readonly getInputProps: (
      field: 'redirectUris' | 'postLogoutRedirectUris' | 'deviceSignIn',
      options?: { type: 'checkbox' },
    ) => object;
  };
  readonly type: ApplicationType;
  readonly errors: Readonly<Record<string, string>>;
  readonly isReadOnly?: boolean;
}

/** Edits the addresses to which users return after the sign-in and the sign-out. */
export function AddressFields({ form, type, errors, isReadOnly = false }: Props) {
  if (type === 'machine') return null;
  const addresses = (['redirectUris', 'postLogoutRedirectUris'] as const).map((field) => (
    <TagsInput
      key={field}
      label={t(`applications.${field}`)}
      description={t(`applications.${field}Hint`)}
      placeholder={field === 'redirectUris' ? EXAMPLES[type] : undefined}
      required={field === 'redirectUris' && !form.values.deviceSignIn}
      splitChars={[',', ' ', '\n']}
      acceptValueOnBlur
      disabled={isReadOnly}
      {...form.getInputProps(field)}
      error={errors[field]}
    />
  ));
  return (
    <>
      {addresses}
      {type !== 'single_page' && (
        <Switch
          label={t('applications.deviceSignIn')}
          description={t('applications.deviceSignInHint')}
          disabled={isReadOnly}
          {...form.getInputProps('deviceSignIn', { type: 'checkbox' })}
        />
      )}
    </>
  );
}
