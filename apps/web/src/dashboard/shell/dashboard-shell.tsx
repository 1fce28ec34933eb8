import { AppShell, Box, Burger, Drawer, Group, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { t } from '../../texts';
import { useIsWide } from '../../ui/use-is-wide';
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
  const isWide = useIsWide();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 264, breakpoint: 'sm', collapsed: { mobile: true, desktop: !org } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <ShellHeader search={<SearchButton />}>
        <Group gap="md" wrap="nowrap">
          {org && !isWide && (
            <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={t('common.openMenu')} aria-expanded={isOpen} />
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
          {org && isWide && <OrganizationSwitcher org={org} onNavigate={close} />}
        </Group>
      </ShellHeader>
      {org && <Menus org={org} isWide={isWide} isOpen={isOpen} onClose={close} />}
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

interface MenusProps {
  readonly org: string;
  readonly isWide: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The menu of the organization: beside the page, or as a drawer on narrow screens. */
function Menus({ org, isWide, isOpen, onClose }: MenusProps) {
  if (isWide)
    return (
      <AppShell.Navbar p="sm" aria-label={t('shell.navigation')}>
        <ScrollArea>
          <OrganizationNavigation org={org} onNavigate={onClose} />
        </ScrollArea>
      </AppShell.Navbar>
    );
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
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
  );
}
