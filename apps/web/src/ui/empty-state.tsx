import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { Icon } from '@primer/octicons-react';
import type { ReactNode } from 'react';

interface Props {
  readonly icon: Icon;
  readonly title: string;
  /** What the list is for, and how to create the first entry. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ icon: Icon, title, children, action }: Props) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md" ta="center">
      <ThemeIcon variant="light" size={56} radius="xl" aria-hidden>
        <Icon size={28} />
      </ThemeIcon>
      <Title order={2} size="h3">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" maw={480} component="div">
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}
