import { Container } from '@mantine/core';
import { t } from '../texts';
import { ErrorNotice } from './error-notice';

/** Replaces a page that threw during rendering. */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <Container component="main" size="sm" py="xl">
      <ErrorNotice error={error} title={t('errors.pageFailed')} advice={t('errors.pageFailedAdvice')} />
    </Container>
  );
}
