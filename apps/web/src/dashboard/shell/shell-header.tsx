import { AppShell, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../texts';
import { ColorSchemeSwitch } from '../../ui/color-scheme-switch';
import { NotificationBell } from '../notifications/notification-bell';
import { AccountMenu } from './account-menu';

interface Props {
  readonly children: ReactNode;
  readonly search?: ReactNode;
}

/** The header of the dashboard and account pages: skip link, page content, search, color scheme and account menu. */
export function ShellHeader({ children, search }: Props) {
  return (
    <>
      <a className="skip-link" href="#content">
        {t('common.skipToContent')}
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          {children}
          <Group gap="xs" wrap="nowrap">
            {search}
            <NotificationBell />
            <ColorSchemeSwitch />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
    </>
  );
}
