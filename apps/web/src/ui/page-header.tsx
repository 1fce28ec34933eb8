import { Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { t } from '../texts';

interface Props {
  readonly title: string;
  /** Shown before the title, such as the picture of a person. */
  readonly picture?: ReactNode;
  readonly description?: ReactNode;
  /** Shown next to the title, such as a status. */
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
}

/** The h1 of a page with its description and actions. Sets the document title. */
export function PageHeader({ title, picture, description, badge, actions }: Props) {
  useDocumentTitle(`${title} · ${t('common.product')}`);
  return (
    <Group justify="space-between" align="flex-start" gap="md" mb="lg">
      <Stack gap={4} maw={760} flex="1 1 22rem">
        <Group gap="sm">
          {picture}
          <Title order={1} className="breakable">
            {title}
          </Title>
          {badge}
        </Group>
        {description && (
          <Text c="dimmed" component="div">
            {description}
          </Text>
        )}
      </Stack>
      {actions && <Group gap="sm">{actions}</Group>}
    </Group>
  );
}
