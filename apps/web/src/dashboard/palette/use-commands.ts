import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { BookIcon, FlowchartIcon, type Icon, MoonIcon, PersonIcon, PlusIcon, SignOutIcon, SunIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { sessionQuery } from '../../app/session';
import { type TextId, t } from '../../texts';
import { covers, permissionsQuery } from '../permissions';
import { NAVIGATION_GROUPS } from '../shell/navigation-items';
import { signOut } from '../shell/sign-out';
import type { PaletteItem } from './palette-items';

interface Creation {
  readonly label: TextId;
  readonly permission: string;
  /** Opens the page or dialog. `go` opens a path of the organization. */
  readonly open: (org: string, go: (path: string) => void) => unknown;
}

/** The dialogs are loaded on first use. */
const CREATIONS: readonly Creation[] = [
  {
    label: 'users.create',
    permission: 'users:write',
    open: async (org, go) =>
      (await import('../users/create-user-form')).openCreateUserDialog({ org, onCreated: (id) => go(`/users/${id}`) }),
  },
  {
    label: 'groups.create',
    permission: 'groups:write',
    open: async (org, go) => (await import('../groups/group-form')).openCreateGroupDialog(org, ({ id }) => go(`/groups/${id}`)),
  },
  { label: 'roles.create', permission: 'roles:write', open: (_org, go) => go('/roles/new') },
  { label: 'webhooks.add', permission: 'webhooks:write', open: (_org, go) => go('/webhooks/new') },
  { label: 'apiKeys.create', permission: 'api_keys:write', open: (_org, go) => go('/api-keys/new') },
  { label: 'applications.create', permission: 'oauth_clients:write', open: (_org, go) => go('/applications/new') },
  { label: 'identityProviders.create', permission: 'organizations:write', open: (_org, go) => go('/identity-providers/new') },
  {
    label: 'setupLinks.create',
    permission: 'setup_links:write',
    open: async (org) => (await import('../connections/setup-links/create-setup-link')).openCreateSetupLinkDialog(org),
  },
];

/** Returns the pages and commands that the signed-in user can use where the palette was opened. */
export function useCommands(): PaletteItem[] {
  return [...useOrganizationCommands(), ...useGeneralCommands()];
}

/** The pages of the current organization, and what the user can create in it. */
function useOrganizationCommands(): PaletteItem[] {
  const { org = '' } = useParams({ strict: false });
  const { data: permissions = [] } = useQuery({ ...permissionsQuery(org), enabled: org !== '' });
  const navigate = useNavigate();
  if (org === '') return [];
  const go = (path: string) => void navigate({ to: `/dashboard/organizations/${org}${path}` });
  const pages = NAVIGATION_GROUPS.flatMap(({ heading, items }) =>
    items
      .filter(({ permission }) => covers(permissions, permission))
      .map(({ label, path, icon }) => ({
        key: `page ${path}`,
        section: t('palette.pages'),
        label: t(label),
        icon,
        keywords: heading ? [t(heading)] : [],
        run: () => go(path),
      })),
  );
  const creations = CREATIONS.filter(({ permission }) => covers(permissions, permission)).map(({ label, open }) => ({
    key: `create ${label}`,
    section: t('palette.commands'),
    label: t(label),
    icon: PlusIcon,
    keywords: [t('common.create')],
    run: () => open(org, go),
  }));
  return [...pages, ...creations];
}

/** The commands that need no organization. */
function useGeneralCommands(): PaletteItem[] {
  const { data: session } = useQuery(sessionQuery);
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const navigate = useNavigate();
  const command = (label: string, icon: Icon, run: () => unknown): PaletteItem => ({
    key: label,
    section: t('palette.commands'),
    label,
    icon,
    run,
  });
  return [
    command(t('palette.allOrganizations'), FlowchartIcon, () => void navigate({ to: '/dashboard' })),
    isDark
      ? command(t('palette.light'), SunIcon, () => setColorScheme('light'))
      : command(t('palette.dark'), MoonIcon, () => setColorScheme('dark')),
    ...(session?.kind === 'user' ? [command(t('common.account'), PersonIcon, () => window.location.assign('/account'))] : []),
    command(t('common.documentation'), BookIcon, () => window.location.assign('/docs')),
    command(t('common.signOut'), SignOutIcon, () => signOut(session)),
  ];
}
