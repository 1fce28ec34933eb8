import { Alert, AppShell, Container, Tabs } from '@mantine/core';
import { IconDeviceDesktop, IconShieldLock, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { sessionQuery } from '../../app/session';
import { ShellHeader } from '../../dashboard/shell/shell-header';
import { texts } from '../../texts';
import { Wordmark } from '../../ui/wordmark';

const words = texts.account;
const TABS = [
  { path: '/account', label: words.tabs.profile, icon: IconUser },
  { path: '/account/security', label: words.tabs.security, icon: IconShieldLock },
  { path: '/account/sessions', label: words.tabs.sessions, icon: IconDeviceDesktop },
] as const;

/** What surrounds the pages about one's own account. Who still has to add a second factor sees nothing but that. */
export function AccountShell() {
  const { data: session } = useQuery(sessionQuery);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const mustEnrol = session?.user?.session.mfaEnrolmentRequired === true;
  if (mustEnrol && pathname !== '/account/security') void navigate({ to: '/account/security', replace: true });
  return (
    <AppShell header={{ height: 56 }} padding="lg">
      <ShellHeader>
        <Wordmark />
      </ShellHeader>
      <AppShell.Main id="content" tabIndex={-1}>
        <Container size="sm" px={0}>
          {!mustEnrol && (
            <Tabs value={pathname} onChange={(path) => path && void navigate({ to: path })} mb="lg" keepMounted={false}>
              <Tabs.List aria-label={words.navigation}>
                {TABS.map(({ path, label, icon: Sign }) => (
                  <Tabs.Tab key={path} value={path} leftSection={<Sign size={16} aria-hidden />}>
                    {label}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
            </Tabs>
          )}
          {session?.kind === 'operator' ? <Alert color="gray">{words.operator}</Alert> : <Outlet />}
        </Container>
      </AppShell.Main>
    </AppShell>
  );
}
