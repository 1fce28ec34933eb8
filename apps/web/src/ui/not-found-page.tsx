import { Anchor, Container } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { t } from '../texts';
import { EmptyState } from './empty-state';

/** For addresses that lead nowhere. */
export function NotFoundPage() {
  return (
    <Container component="main" size="sm" py="xl">
      <EmptyState
        icon={IconMapOff}
        title={t('errors.notFound')}
        action={<Anchor href="/dashboard">{t('common.dashboard')}</Anchor>}
      >
        {t('errors.notFoundAdvice')}
      </EmptyState>
    </Container>
  );
}
