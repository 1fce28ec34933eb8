import { AppShell, Box, Burger, Drawer, Group, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { t } from '../../texts';
import { Wordmark } from '../../ui/wordmark';
import { SearchButton } from '../palette/search-button';
import { EmergencyBanner } from '../connections/break-glass/emergency-banner';
import { ImpersonationBanner } from './impersonation-banner';
import { OperatorBanner } from './operator-banner';
import { OrganizationNavigation } from './organization-navigation';
import { OrganizationPath } from './organization-path';
import { OrganizationSwitcher } from './organization-switcher';
import { ShellHeader } from './shell-header';

export function DashboardShell() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { org } = useParams({ strict: false });
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 264, breakpoint: 'sm', collapsed: { mobile: true, desktop: !org } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <ShellHeader search={<SearchButton />}>
        <Group gap="md" wrap="nowrap">
          {org && (
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('common.openMenu')}
              aria-expanded={isOpen}
            />
          )}
          <Link
            to="/dashboard"
            activeOptions={{ exact: true }}
            className="plain-link"
            onClick={close}
            aria-label={`${t('common.product')}: ${t('common.dashboard')}`}
          >
            <Wordmark />
          </Link>
          {org && (
            <Box visibleFrom="sm">
              <OrganizationSwitcher org={org} onNavigate={close} />
            </Box>
          )}
        </Group>
      </ShellHeader>
      {org && <Menus org={org} isOpen={isOpen} onClose={close} />}
      <AppShell.Main id="content" tabIndex={-1}>
        <ImpersonationBanner />
        <OperatorBanner />
        {org && <EmergencyBanner key={org} org={org} />}
        {org && <OrganizationPath org={org} />}
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

/** The menu of the organization: beside the page, or as a drawer on narrow screens. */
function Menus({ org, isOpen, onClose }: { org: string; isOpen: boolean; onClose: () => void }) {
  return (
    <>
      <AppShell.Navbar p="sm" aria-label={t('shell.navigation')} visibleFrom="sm">
        <ScrollArea>
          <OrganizationNavigation org={org} onNavigate={onClose} />
        </ScrollArea>
      </AppShell.Navbar>
      <Drawer
        opened={isOpen}
        onClose={onClose}
        hiddenFrom="sm"
        size={300}
        title={t('shell.menu')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <nav aria-label={t('shell.navigation')}>
          <Box mb="sm">
            <OrganizationSwitcher org={org} onNavigate={onClose} />
          </Box>
          <OrganizationNavigation org={org} onNavigate={onClose} />
        </nav>
      </Drawer>
    </>
  );
}
