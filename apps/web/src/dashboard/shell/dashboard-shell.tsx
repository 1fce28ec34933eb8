import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useParams } from '@tanstack/react-router';
import { texts } from '../../texts';
import { ColorSchemeSwitch } from '../../ui/color-scheme-switch';
import { Wordmark } from '../../ui/wordmark';
import { EmergencyBanner } from '../connections/break-glass/emergency-banner';
import { AccountMenu } from './account-menu';
import { OrganizationNavigation } from './organization-navigation';

/** What surrounds each page of the dashboard. */
export function DashboardShell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { org } = useParams({ strict: false });
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen || !org, desktop: !org } }}
      padding="lg"
    >
      <a className="skip-link" href="#content">
        {texts.common.skipToContent}
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            {org && (
              <Burger
                opened={isOpen}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={texts.common.openMenu}
                aria-expanded={isOpen}
              />
            )}
            <Wordmark />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColorSchemeSwitch />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      {org && (
        <AppShell.Navbar p="sm" aria-label={texts.shell.navigation}>
          <OrganizationNavigation org={org} onNavigate={close} />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="content" tabIndex={-1}>
        {org && <EmergencyBanner key={org} org={org} />}
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
