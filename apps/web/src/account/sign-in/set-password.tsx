import { Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Schema } from '../../api/client';
import { fieldProblems } from '../../api/field-problems';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { exactTime } from '../../ui/exact-time';
import { EmailField } from './email-field';
import { EntryPage } from './entry-page';
import { MainButton } from './main-button';
import {
  type ChosenPassword,
  NewPasswordFields,
  NO_PASSWORD,
  type PasswordProblems,
  typingProblems,
} from './new-password-fields';
import { SignInNotice } from './sign-in-notice';
import { useSignInStep } from './use-sign-in-step';

export type MailedLink = Schema<'MailedLinkResponse'>;

const DEAD_CODES = new Set(['invitation_invalid', 'link_invalid']);

/** Returns whether the link was used or expired after the page loaded. */
export const isDead = (error: unknown): error is ApiProblem => error instanceof ApiProblem && DEAD_CODES.has(error.code);

interface Props {
  readonly link: MailedLink;
  readonly title: string;
  readonly description: string;
  readonly submitLabel: string;
  /** Sends the password and uses up the link. */
  readonly send: (password: string) => Promise<void>;
  readonly onDone: () => void;
  readonly onDead: (problem: ApiProblem) => void;
}

/** Sets the password of the account of an emailed link. */
export function SetPassword({ link, title, description, submitLabel, send, onDone, onDead }: Props) {
  const [chosen, setChosen] = useState<ChosenPassword>(NO_PASSWORD);
  const [typing, setTyping] = useState<PasswordProblems>({});
  const step = useSignInStep(
    async (password: string) => {
      try {
        await send(password);
        return true;
      } catch (error) {
        if (!isDead(error)) throw error;
        onDead(error);
        return false;
      }
    },
    (isSet) => isSet && onDone(),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problems = typingProblems(chosen);
    setTyping(problems);
    if (Object.keys(problems).length === 0) step.start(chosen.password);
  };
  const { fields, rest } = fieldProblems(step.error, ['password']);
  return (
    <EntryPage title={title} description={description} place={link.organization}>
      {rest !== undefined && <SignInNotice error={rest} secondsLeft={step.secondsLeft} />}
      <form onSubmit={submit} noValidate>
        <Stack>
          <EmailField required={false} readOnly variant="filled" value={link.email} />
          {link.passwordPolicy && (
            <NewPasswordFields
              policy={link.passwordPolicy}
              autoFocus
              value={chosen}
              problems={{ ...fields, ...typing }}
              onChange={setChosen}
            />
          )}
          <MainButton loading={step.isRunning} disabled={step.secondsLeft > 0}>
            {submitLabel}
          </MainButton>
        </Stack>
      </form>
      <Text size="xs" c="dimmed">
        {t('signIn.links.until', { time: exactTime(link.expiresAt) })}
      </Text>
    </EntryPage>
  );
}
