import { Anchor, Container } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { texts } from '../texts';
import { EmptyState } from './empty-state';

/** For addresses that lead nowhere. */
export function NotFoundPage() {
  return (
    <Container component="main" size="sm" py="xl">
      <EmptyState
        icon={IconMapOff}
        title={texts.errors.notFound}
        action={<Anchor href="/dashboard">{texts.common.dashboard}</Anchor>}
      >
        {texts.errors.notFoundAdvice}
      </EmptyState>
    </Container>
  );
}
