import { PasswordInput, Stack, Text, VisuallyHidden } from '@mantine/core';
import { CheckIcon, CircleIcon, InfoIcon } from '@primer/octicons-react';
import { useId, useState } from 'react';
import type { Schema } from '../../api/client';
import { t } from '../../texts';
import classes from './sign-in-layout.module.css';
import { passwordRules, type PasswordRule } from './password-rules';

/** The entered new password and its repetition. */
export interface NewPassword {
  readonly password: string;
  readonly repeated: string;
}

export const EMPTY_PASSWORD: NewPassword = { password: '', repeated: '' };

/** The errors that the page finds before the request. */
export interface PasswordErrors {
  readonly password?: string;
  readonly repeated?: string;
}

/** Validates that the passwords are present and equal. The API validates the password policy. */
export function validateNewPassword({ password, repeated }: NewPassword): PasswordErrors {
  if (password === '') return { password: t('signIn.newPassword.missing') };
  return password === repeated ? {} : { repeated: t('signIn.newPassword.different') };
}

interface Props {
  readonly policy: Schema<'PasswordRulesResponse'>;
  readonly value: NewPassword;
  readonly problems: PasswordErrors;
  readonly label?: string;
  readonly autoFocus?: boolean;
  readonly onChange: (value: NewPassword) => void;
}

/** Two password inputs with a checklist of the password policy. */
export function NewPasswordFields({
  policy,
  value,
  problems,
  label = t('signIn.newPassword.label'),
  autoFocus = false,
  onChange,
}: Props) {
  const rulesId = useId();
  const [isVisible, setVisible] = useState(false);
  const common = {
    autoComplete: 'new-password',
    size: 'md',
    required: true,
    withAsterisk: false,
    visible: isVisible,
    onVisibilityChange: setVisible,
    visibilityToggleButtonProps: {
      'aria-label': isVisible ? t('signIn.newPassword.hide') : t('signIn.newPassword.show'),
      tabIndex: 0,
    },
  } as const;
  return (
    <Stack>
      <PasswordInput
        {...common}
        label={label}
        name="password"
        autoFocus={autoFocus}
        value={value.password}
        error={problems.password}
        aria-describedby={rulesId}
        onChange={(event) => onChange({ ...value, password: event.currentTarget.value })}
      />
      <Rules id={rulesId} rules={passwordRules(policy, value.password)} />
      <PasswordInput
        {...common}
        label={t('signIn.newPassword.again')}
        name="repeated"
        value={value.repeated}
        error={problems.repeated}
        onChange={(event) => onChange({ ...value, repeated: event.currentTarget.value })}
      />
    </Stack>
  );
}

const RULE_STATES = {
  met: {
    icon: CheckIcon,
    color: 'light-dark(var(--mantine-color-green-9), var(--mantine-color-green-4))',
    stateText: 'signIn.newPassword.met',
  },
  open: { icon: CircleIcon, color: 'var(--mantine-color-dimmed)', stateText: 'signIn.newPassword.open' },
  later: { icon: InfoIcon, color: 'var(--mantine-color-dimmed)', stateText: 'signIn.newPassword.checkedLater' },
} as const;

function Rules({ id, rules }: { id: string; rules: readonly PasswordRule[] }) {
  return (
    <div id={id}>
      <Text size="sm" mb={6}>
        {t('signIn.newPassword.rulesTitle')}
      </Text>
      <ul className={classes.rules}>
        {rules.map(({ text, state }) => {
          const { icon: Icon, color, stateText } = RULE_STATES[state];
          return (
            <li key={text}>
              <Icon size={16} fill={color} />
              <Text size="sm" span>
                {text}
                <VisuallyHidden> ({t(stateText)})</VisuallyHidden>
              </Text>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
