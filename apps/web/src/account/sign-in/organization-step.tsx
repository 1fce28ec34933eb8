import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../../texts';
import { PrimaryButton } from './primary-button';

interface Props {
  readonly initialSlug?: string | undefined;
  /** Whether there is no organization with the initial slug. */
  readonly isUnknown: boolean;
  readonly onChosen: (slug: string) => void;
}

export function OrganizationStep({ initialSlug = '', isUnknown, onChosen }: Props) {
  const [slug, setSlug] = useState(initialSlug);
  const choose = (event: FormEvent) => {
    event.preventDefault();
    const chosen = slug.trim().toLowerCase();
    if (chosen) onChosen(chosen);
  };
  return (
    <form onSubmit={choose}>
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
          maxLength={63}
          required
          withAsterisk={false}
          data-autofocus
          autoFocus
          value={slug}
          error={isUnknown && slug.trim().toLowerCase() === initialSlug ? t('signIn.organizationStep.unknown') : undefined}
          onChange={(event) => setSlug(event.currentTarget.value)}
        />
        <PrimaryButton>{t('signIn.continue')}</PrimaryButton>
      </Stack>
    </form>
  );
}
