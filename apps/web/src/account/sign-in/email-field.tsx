import { TextInput, type TextInputProps } from '@mantine/core';
import { t } from '../../texts';

/** An email input with attributes for password managers. */
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
