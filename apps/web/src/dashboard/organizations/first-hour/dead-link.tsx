import { Anchor, Stack } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconLinkOff } from '@tabler/icons-react';
import { texts } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { PageHeader } from '../../../ui/page-header';

const words = texts.firstHour.dead;

/** Tells how to come by another one-time link. */
export function DeadLink({ isMissing }: { isMissing: boolean }) {
  const title = isMissing ? words.missingTitle : words.title;
  useDocumentTitle(title);
  return (
    <Stack align="flex-start" role="alert">
      <IconLinkOff size={40} stroke={1.5} aria-hidden />
      <PageHeader title={title} description={isMissing ? words.missing : words.explained} />
      <CopyField value={words.command} label={words.command} />
      <Anchor href="/account/sign-in" underline="always">
        {words.signIn}
      </Anchor>
    </Stack>
  );
}
