import { Anchor, Container } from '@mantine/core';
import { TelescopeIcon } from '@primer/octicons-react';
import { t } from '../texts';
import { EmptyState } from './empty-state';

export function NotFoundPage() {
  return (
    <Container component="main" size="sm" py="xl">
      <EmptyState
        icon={TelescopeIcon}
        title={t('errors.notFound')}
        action={<Anchor href="/dashboard">{t('common.dashboard')}</Anchor>}
      >
        {t('errors.notFoundAdvice')}
      </EmptyState>
    </Container>
  );
}
