import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { texts } from '../../texts';
import { MainButton } from './main-button';

const words = texts.signIn.organizationStep;

interface Props {
  readonly given?: string | undefined;
  /** That the organization given does not exist. */
  readonly isUnknown: boolean;
  readonly isRunning: boolean;
  readonly onChosen: (slug: string) => void;
}

/** Asks for the organization. */
export function OrganizationStep({ given = '', isUnknown, isRunning, onChosen }: Props) {
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
          label={words.label}
          description={words.hint}
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
          error={isUnknown && slug.trim().toLowerCase() === given ? words.unknown : undefined}
          onChange={(event) => setSlug(event.currentTarget.value)}
        />
        <MainButton loading={isRunning}>{texts.signIn.continue}</MainButton>
      </Stack>
    </form>
  );
}
