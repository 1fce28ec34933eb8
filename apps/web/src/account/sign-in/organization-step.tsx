import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../../texts';
import { PrimaryButton } from './primary-button';

interface Props {
  readonly given?: string | undefined;
  /** Whether the given organization does not exist. */
  readonly isUnknown: boolean;
  readonly onChosen: (slug: string) => void;
}

export function OrganizationStep({ given = '', isUnknown, onChosen }: Props) {
  const [slug, setSlug] = useState(given);
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
          error={isUnknown && slug.trim().toLowerCase() === given ? t('signIn.organizationStep.unknown') : undefined}
          onChange={(event) => setSlug(event.currentTarget.value)}
        />
        <PrimaryButton>{t('signIn.continue')}</PrimaryButton>
      </Stack>
    </form>
  );
}
