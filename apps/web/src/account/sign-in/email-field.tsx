import { TextInput, type TextInputProps } from '@mantine/core';
import { t } from '../../texts';

/** The address that somebody signs in with, as browsers and password managers know it. */
export function EmailField(props: TextInputProps) {
  return (
    <TextInput
      label={t('signIn.email')}
      type="email"
      name="email"
      autoComplete="username"
      size="md"
      required
      withAsterisk={false}
      {...props}
    />
  );
}
