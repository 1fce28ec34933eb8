import { Anchor, Stack } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { UnlinkIcon } from '@primer/octicons-react';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { PageHeader } from '../../../ui/page-header';

/** Explains how to get another one-time link. */
export function InvalidLink({ isMissing }: { isMissing: boolean }) {
  const title = isMissing ? t('gettingStarted.dead.missingTitle') : t('gettingStarted.dead.title');
  useDocumentTitle(title);
  return (
    <Stack align="flex-start" role="alert">
      <UnlinkIcon size={40} />
      <PageHeader title={title} description={isMissing ? t('gettingStarted.dead.missing') : t('gettingStarted.dead.explained')} />
      <CopyField value={t('gettingStarted.dead.command')} label={t('gettingStarted.dead.command')} />
      <Anchor href="/account/sign-in" underline="always">
        {t('gettingStarted.dead.signIn')}
      </Anchor>
    </Stack>
  );
}
