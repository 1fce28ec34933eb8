import { Stack, Text, ThemeIcon } from '@mantine/core';
import { CheckCircleIcon } from '@primer/octicons-react';
import { t } from '../../texts';
import { SignInLayout } from './sign-in-layout';
import { PrimaryButton } from './primary-button';
import { openPage } from './open-page';
import type { EmailLink } from './set-password';

interface Props {
  readonly link: EmailLink;
  readonly title: string;
  readonly text: string;
}

/** Confirms the action of an emailed link and links to the sign-in page. */
export function LinkSuccess({ link: { organization, email }, title, text }: Props) {
  const signIn = () => void openPage('/account/sign-in', { organization: organization.slug }, { email });
  return (
    <SignInLayout title={title} organization={organization}>
      <Stack role="status">
        <ThemeIcon variant="light" color="green" size={48} radius="xl" aria-hidden>
          <CheckCircleIcon size={28} />
        </ThemeIcon>
        <Text className="breakable">{text}</Text>
      </Stack>
      <PrimaryButton type="button" autoFocus onClick={signIn}>
        {t('common.signIn')}
      </PrimaryButton>
    </SignInLayout>
  );
}
