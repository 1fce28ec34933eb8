import { Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Schema } from '../../api/client';
import { formErrors } from '../../api/form-errors';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { formatDateTime } from '../../ui/format-date-time';
import { signInWithNewPassword } from './complete-sign-in';
import { usePageSearch } from './open-page';
import { EmailField } from './email-field';
import { SignInLayout } from './sign-in-layout';
import { PrimaryButton } from './primary-button';
import {
  type NewPassword,
  NewPasswordFields,
  EMPTY_PASSWORD,
  type PasswordErrors,
  validateNewPassword,
} from './new-password-fields';
import { SignInNotice } from './sign-in-notice';
import { useSignInStep } from './use-sign-in-step';

export type EmailLink = Schema<'MailedLinkResponse'>;

const INVALID_LINK_CODES = new Set(['invitation_invalid', 'link_invalid']);

/** Returns whether the error means that the link is used or expired. */
export const isInvalidLink = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && INVALID_LINK_CODES.has(error.code);

interface Props {
  readonly link: EmailLink;
  readonly title: string;
  readonly description: string;
  readonly submitLabel: string;
  /** Stores the password, which makes the link invalid. */
  readonly submitPassword: (password: string) => Promise<void>;
  /** Called if the password is set, but the user could not be signed in. */
  readonly onDone: () => void;
  readonly onInvalidLink: (problem: ApiProblem) => void;
}

/** The form that sets the password for an invitation or a password reset, and signs the user in. */
export function SetPassword({ link, title, description, submitLabel, submitPassword, onDone, onInvalidLink }: Props) {
  const { returnTo } = usePageSearch();
  const [chosen, setChosen] = useState<NewPassword>(EMPTY_PASSWORD);
  const [inputErrors, setInputErrors] = useState<PasswordErrors>({});
  const step = useSignInStep(
    async (password: string) => {
      try {
        await submitPassword(password);
      } catch (error) {
        if (!isInvalidLink(error)) throw error;
        onInvalidLink(error);
        return false;
      }
      return signInWithNewPassword({ organization: link.organization.slug, email: link.email, password }, returnTo).then(
        () => false,
        () => true,
      );
    },
    (mustSignIn) => mustSignIn && onDone(),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problems = validateNewPassword(chosen);
    setInputErrors(problems);
    if (Object.keys(problems).length === 0) step.start(chosen.password);
  };
  const { fields, rest } = formErrors(step.error, ['password']);
  return (
    <SignInLayout title={title} description={description} organization={link.organization}>
      {rest !== undefined && <SignInNotice error={rest} secondsLeft={step.secondsLeft} />}
      <form onSubmit={submit} noValidate>
        <Stack>
          <EmailField required={false} readOnly variant="filled" value={link.email} />
          {link.passwordPolicy && (
            <NewPasswordFields
              policy={link.passwordPolicy}
              autoFocus
              value={chosen}
              problems={{ ...fields, ...inputErrors }}
              onChange={setChosen}
            />
          )}
          <PrimaryButton loading={step.isRunning} disabled={step.secondsLeft > 0}>
            {submitLabel}
          </PrimaryButton>
        </Stack>
      </form>
      <Text size="xs" c="dimmed">
        {t('signIn.links.until', { time: formatDateTime(link.expiresAt) })}
      </Text>
    </SignInLayout>
  );
}
