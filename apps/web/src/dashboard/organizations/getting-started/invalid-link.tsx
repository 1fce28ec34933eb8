import { Anchor, Stack } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { UnlinkIcon } from '@primer/octicons-react';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { PageHeader } from '../../../ui/page-header';

/** Explains how to get another one-time link. */
export function InvalidLink({ isMissing }: { isMissing: boolean }) {
  const title = isMissing ? t('gettingStarted.invalidLink.missingTitle') : t('gettingStarted.invalidLink.title');
  useDocumentTitle(title);
  return (
    <Stack align="flex-start" role="alert">
      <UnlinkIcon size={40} />
      <PageHeader
        title={title}
        description={isMissing ? t('gettingStarted.invalidLink.missing') : t('gettingStarted.invalidLink.explained')}
      />
      <CopyField value={t('gettingStarted.invalidLink.command')} label={t('gettingStarted.invalidLink.command')} />
      <Anchor href="/account/sign-in" underline="always">
        {t('gettingStarted.invalidLink.signIn')}
      </Anchor>
    </Stack>
  );
}
