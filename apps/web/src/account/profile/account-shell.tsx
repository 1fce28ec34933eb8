import { Alert, AppShell, Container, Tabs } from '@mantine/core';
import { AppsIcon, DeviceDesktopIcon, PeopleIcon, PersonIcon, ShieldLockIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { sessionQuery } from '../../app/session';
import { ImpersonationBanner } from '../../dashboard/shell/impersonation-banner';
import { ShellHeader } from '../../dashboard/shell/shell-header';
import { t } from '../../texts';
import { Wordmark } from '../../ui/wordmark';

const TABS = [
  { path: '/account', label: 'account.tabs.profile', icon: PersonIcon },
  { path: '/account/security', label: 'account.tabs.security', icon: ShieldLockIcon },
  { path: '/account/sessions', label: 'account.tabs.sessions', icon: DeviceDesktopIcon },
  { path: '/account/applications', label: 'account.tabs.applications', icon: AppsIcon },
  { path: '/account/acting-for-you', label: 'account.tabs.actingForYou', icon: PeopleIcon },
] as const;

/** The layout of the account pages. A user who must add a second factor can open only the security page. */
export function AccountShell() {
  const { data: session } = useQuery(sessionQuery);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const mustEnroll = session?.user?.session.mfaEnrolmentRequired === true;
  if (mustEnroll && pathname !== '/account/security') void navigate({ to: '/account/security', replace: true });
  return (
    <AppShell header={{ height: 56 }} padding="lg">
      <ShellHeader>
        <Wordmark />
      </ShellHeader>
      <AppShell.Main id="content" tabIndex={-1}>
        <Container size="sm" px={0}>
          <ImpersonationBanner />
          {!mustEnroll && (
            <Tabs value={pathname} onChange={(path) => path && void navigate({ to: path })} mb="lg" keepMounted={false}>
              <Tabs.List aria-label={t('account.navigation')}>
                {TABS.map(({ path, label, icon: Icon }) => (
                  <Tabs.Tab key={path} value={path} leftSection={<Icon size={16} />}>
                    {t(label)}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
            </Tabs>
          )}
          {session?.kind === 'operator' ? <Alert color="gray">{t('account.operator')}</Alert> : <Outlet />}
        </Container>
      </AppShell.Main>
    </AppShell>
  );
}
