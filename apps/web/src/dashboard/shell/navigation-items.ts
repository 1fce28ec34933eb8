import {
  AppsIcon,
  BroadcastIcon,
  GearIcon,
  GlobeIcon,
  HomeIcon,
  type Icon,
  KeyIcon,
  LinkIcon,
  LogIcon,
  OrganizationIcon,
  PeopleIcon,
  PersonIcon,
  ReportIcon,
  ShieldLockIcon,
  SignInIcon,
  SyncIcon,
  TasklistIcon,
  WebhookIcon,
} from '@primer/octicons-react';
import type { TextId } from '../../texts';

export interface NavigationItem {
  readonly label: TextId;
  /** The path, relative to the URL of the organization. */
  readonly path: string;
  readonly icon: Icon;
  readonly permission: string;
  /** Another permission that is enough. */
  readonly otherPermission?: string;
}

/** Items under a heading that can be collapsed. Without a heading, the items are always visible. */
export interface NavigationGroup {
  readonly heading?: TextId;
  readonly items: readonly NavigationItem[];
}

/** The pages of an organization, as the menu shows them. */
export const NAVIGATION_GROUPS: readonly NavigationGroup[] = [
  { items: [{ label: 'shell.areas.overview', path: '', icon: HomeIcon, permission: 'organizations:read' }] },
  {
    heading: 'shell.groups.people',
    items: [
      { label: 'shell.areas.users', path: '/users', icon: PersonIcon, permission: 'users:read', otherPermission: 'members:read' },
      { label: 'shell.areas.groups', path: '/groups', icon: OrganizationIcon, permission: 'groups:read' },
    ],
  },
  {
    heading: 'shell.groups.access',
    items: [
      { label: 'shell.areas.roles', path: '/roles', icon: ShieldLockIcon, permission: 'roles:read' },
      { label: 'shell.areas.permissionCheck', path: '/permissions', icon: TasklistIcon, permission: 'roles:read' },
      { label: 'shell.areas.breakGlass', path: '/break-glass', icon: ReportIcon, permission: 'break_glass:request' },
      { label: 'shell.areas.impersonations', path: '/impersonations', icon: PeopleIcon, permission: 'users:impersonate' },
    ],
  },
  {
    heading: 'shell.groups.applications',
    items: [
      { label: 'shell.areas.applications', path: '/applications', icon: AppsIcon, permission: 'oauth_clients:read' },
      { label: 'shell.areas.apiKeys', path: '/api-keys', icon: KeyIcon, permission: 'api_keys:read' },
    ],
  },
  {
    heading: 'shell.groups.integrations',
    items: [
      { label: 'shell.areas.webhooks', path: '/webhooks', icon: WebhookIcon, permission: 'webhooks:read' },
      { label: 'shell.areas.sharedSignals', path: '/shared-signals', icon: BroadcastIcon, permission: 'ssf_streams:read' },
      { label: 'shell.areas.scim', path: '/scim', icon: SyncIcon, permission: 'scim:read' },
      { label: 'shell.areas.setupLinks', path: '/setup-links', icon: LinkIcon, permission: 'setup_links:read' },
    ],
  },
  {
    heading: 'shell.groups.security',
    items: [
      { label: 'shell.areas.identityProviders', path: '/identity-providers', icon: SignInIcon, permission: 'organizations:read' },
      { label: 'shell.areas.domains', path: '/domains', icon: GlobeIcon, permission: 'domains:read' },
      { label: 'shell.areas.events', path: '/events', icon: LogIcon, permission: 'events:read' },
    ],
  },
  { items: [{ label: 'shell.areas.settings', path: '/settings', icon: GearIcon, permission: 'organizations:read' }] },
];

export const NAVIGATION_ITEMS: readonly NavigationItem[] = NAVIGATION_GROUPS.flatMap(({ items }) => items);
