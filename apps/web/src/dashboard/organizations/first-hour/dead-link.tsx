import { Anchor, Stack } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { UnlinkIcon } from '@primer/octicons-react';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';
import { PageHeader } from '../../../ui/page-header';

/** Explains how to get another one-time link. */
export function DeadLink({ isMissing }: { isMissing: boolean }) {
  const title = isMissing ? t('firstHour.dead.missingTitle') : t('firstHour.dead.title');
  useDocumentTitle(title);
  return (
    <Stack align="flex-start" role="alert">
      <UnlinkIcon size={40} />
      <PageHeader title={title} description={isMissing ? t('firstHour.dead.missing') : t('firstHour.dead.explained')} />
      <CopyField value={t('firstHour.dead.command')} label={t('firstHour.dead.command')} />
      <Anchor href="/account/sign-in" underline="always">
        {t('firstHour.dead.signIn')}
      </Anchor>
    </Stack>
  );
}
