import { Stack, Text, Title } from '@mantine/core';
import type { ComponentType } from 'react';
import { type TextId, t } from '../../../texts';
import { PageHeader } from '../../../ui/page-header';
import { ConnectedApplications } from '../applications-page';
import { SupportSessions } from './support-sessions';

interface Section {
  readonly id: string;
  readonly title: TextId;
  readonly description: TextId;
  readonly content: ComponentType;
}

/** Everything that can act for the user. Each section lists what it is about, with a button that ends it. */
const SECTIONS: readonly Section[] = [
  { id: 'support', title: 'acting.support.title', description: 'acting.support.description', content: SupportSessions },
  {
    id: 'applications',
    title: 'account.tabs.applications',
    description: 'account.applications.description',
    content: ConnectedApplications,
  },
];

export const ActingForYouPage = () => (
  <>
    <PageHeader title={t('account.tabs.actingForYou')} description={t('acting.description')} />
    <Stack gap="xl">
      {SECTIONS.map(({ id, title, description, content: Content }) => (
        <Stack key={id} component="section" gap="sm" aria-labelledby={`acting-${id}`}>
          <Title order={2} id={`acting-${id}`}>
            {t(title)}
          </Title>
          <Text size="sm" c="dimmed">
            {t(description)}
          </Text>
          <Content />
        </Stack>
      ))}
    </Stack>
  </>
);
