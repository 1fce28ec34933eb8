import { TextInput, type TextInputProps } from '@mantine/core';
import { t } from '../../texts';

/** The email input of the sign-in forms. Password managers recognize its attributes. */
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
