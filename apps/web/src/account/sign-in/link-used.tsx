import { Stack, Text, ThemeIcon } from '@mantine/core';
import { CheckCircleIcon } from '@primer/octicons-react';
import { t } from '../../texts';
import { EntryPage } from './entry-page';
import { MainButton } from './main-button';
import { openPage } from './open-page';
import type { MailedLink } from './set-password';

interface Props {
  readonly link: MailedLink;
  readonly title: string;
  readonly text: string;
}

/** Confirms the action of an emailed link and links to the sign-in page. */
export function LinkUsed({ link: { organization, email }, title, text }: Props) {
  const signIn = () => void openPage('/account/sign-in', { organization: organization.slug }, { email });
  return (
    <EntryPage title={title} place={organization}>
      <Stack role="status">
        <ThemeIcon variant="light" color="green" size={48} radius="xl" aria-hidden>
          <CheckCircleIcon size={28} />
        </ThemeIcon>
        <Text className="breakable">{text}</Text>
      </Stack>
      <MainButton type="button" autoFocus onClick={signIn}>
        {t('common.signIn')}
      </MainButton>
    </EntryPage>
  );
}
