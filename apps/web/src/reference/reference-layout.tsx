import { Anchor, AppShell, Burger, Group, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { t } from '../texts';
import { ColorSchemeSwitch } from '../ui/color-scheme-switch';
import { ErrorNotice } from '../ui/error-notice';
import { Wordmark } from '../ui/wordmark';
import { documentQuery } from './document';
import { OperationList } from './operation-list';

/** The frame of the API reference: the head of the dashboard, and the operations. */
export function ReferenceLayout() {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { data: document, error, refetch } = useQuery(documentQuery);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 320, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <a className="skip-link" href="#content">
        {t('common.skipToContent')}
      </a>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="md" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('common.openMenu')}
              aria-expanded={isOpen}
            />
            <Link
              to="/docs"
              className="plain-link"
              onClick={close}
              aria-label={`${t('common.product')}: ${t('reference.title')}`}
            >
              <Wordmark />
            </Link>
          </Group>
          <Group component="nav" gap="md" wrap="nowrap" aria-label={t('reference.navigation')}>
            <Anchor href="/docs/guide/">{t('reference.guide')}</Anchor>
            <Anchor href="/dashboard" visibleFrom="xs">
              {t('common.dashboard')}
            </Anchor>
            <ColorSchemeSwitch />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={t('reference.operations')}>
        {document && <OperationList document={document} onNavigate={close} />}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {!document && !error && <Skeleton h={300} />}
        {document && <Outlet />}
      </AppShell.Main>
    </AppShell>
  );
}
