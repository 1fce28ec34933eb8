import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { PrimaryButton } from './primary-button';

interface Props {
  readonly initialSlug?: string | undefined;
  /** Whether there is no organization with the initial slug. */
  readonly isUnknown: boolean;
  /** `email` is the email address from which the organization was found. */
  readonly onChosen: (slug: string, email?: string) => void;
}

export function OrganizationStep({ initialSlug = '', isUnknown, onChosen }: Props) {
  const [text, setText] = useState(initialSlug);
  const [problem, setProblem] = useState<string>();
  const entered = text.trim().toLowerCase();
  const choose = async (event: FormEvent) => {
    event.preventDefault();
    if (!entered.includes('@')) return entered ? onChosen(entered) : undefined;
    try {
      const { data } = await unwrap(api.POST('/v1/auth/sign-in-options', { body: { email: entered } }));
      if (data.organization) onChosen(data.organization.slug, entered);
      else setProblem(t('signIn.organizationStep.unknownDomain'));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const unknownSlug = isUnknown && entered === initialSlug ? t('signIn.organizationStep.unknown') : undefined;
  return (
    <form onSubmit={(event) => void choose(event)}>
      <Stack>
        <TextInput
          label={t('signIn.organizationStep.label')}
          description={t('signIn.organizationStep.hint')}
          name="organization"
          autoComplete="organization"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          size="md"
          maxLength={320}
          required
          withAsterisk={false}
          data-autofocus
          autoFocus
          value={text}
          error={problem ?? unknownSlug}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
        <PrimaryButton>{t('signIn.continue')}</PrimaryButton>
      </Stack>
    </form>
  );
}
