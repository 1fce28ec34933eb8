import { Group, ScrollArea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import classes from './page-tabs.module.css';

interface Tab {
  readonly label: string;
  readonly to: string;
}

/** Tabs that are pages with their own URLs. The first tab is the parent route of all other tabs. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <ScrollArea type="never" mb="lg" className={classes['frame']}>
      <Group component="nav" gap={0} wrap="nowrap" aria-label={label}>
        {tabs.map(({ label: name, to }, index) => (
          // The router sets `aria-current` on the current tab.
          <Link key={to} to={to} className={classes['tab']} activeOptions={{ exact: index === 0, includeSearch: false }}>
            {name}
          </Link>
        ))}
      </Group>
    </ScrollArea>
  );
}
