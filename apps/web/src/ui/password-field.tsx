import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { t } from '../texts';

/** A password input with a translated label on its visibility button. */
export function PasswordField(props: PasswordInputProps) {
  const [isVisible, { toggle }] = useDisclosure(false);
  return (
    <PasswordInput
      {...props}
      visible={isVisible}
      onVisibilityChange={toggle}
      visibilityToggleButtonProps={{
        'aria-label': isVisible ? t('signIn.credentials.hide') : t('signIn.credentials.show'),
      }}
    />
  );
}
