import { Anchor, Stack, Text, ThemeIcon } from '@mantine/core';
import { MailIcon } from '@primer/octicons-react';
import { t } from '../../texts';
import { SignInLayout, type SignInOrganization } from './sign-in-layout';
import { PageLink } from './page-link';

interface Props {
  readonly organization: SignInOrganization;
  readonly text: string;
  readonly onOtherAddress: () => void;
}

/** Confirms that an email was sent, with advice for a missing email. */
export function EmailSent({ organization, text, onOtherAddress }: Props) {
  return (
    <SignInLayout title={t('signIn.emailSent.title')} organization={organization}>
      <EmailSentNotice text={text} />
      <Stack gap="xs" align="center">
        <Anchor component="button" type="button" size="sm" onClick={onOtherAddress}>
          {t('signIn.emailSent.otherAddress')}
        </Anchor>
        <PageLink to="/account/sign-in" search={{ organization: organization.slug }} size="sm">
          {t('signIn.backToSignIn')}
        </PageLink>
      </Stack>
    </SignInLayout>
  );
}

export function EmailSentNotice({ text }: Pick<Props, 'text'>) {
  return (
    <Stack role="status">
      <ThemeIcon variant="light" size={48} radius="xl" aria-hidden>
        <MailIcon size={26} />
      </ThemeIcon>
      <Text className="breakable">{text}</Text>
      <Text size="sm" c="dimmed">
        {t('signIn.emailSent.nothing')}
      </Text>
    </Stack>
  );
}
