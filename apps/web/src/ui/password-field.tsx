import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { t } from '../texts';

/** A password input whose visibility button has a label in the language of the page. */
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
