import {
  IconAffiliate,
  IconAlertOctagon,
  IconHome,
  IconKey,
  IconListDetails,
  IconLogin2,
  IconSettings,
  IconShieldLock,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react';
import { texts } from '../../texts';

/** An entry of an organization's navigation. */
export interface Area {
  readonly label: string;
  /** Below the organization's address. */
  readonly path: string;
  readonly icon: Icon;
  /** Without it the entry is not shown. */
  readonly permission: string;
}

const { areas: words } = texts.shell;

/** What can be seen and done in an organization. */
export const AREAS: readonly Area[] = [
  { label: words.overview, path: '', icon: IconHome, permission: 'organizations:read' },
  { label: words.users, path: '/users', icon: IconUsers, permission: 'users:read' },
  { label: words.members, path: '/members', icon: IconUsersGroup, permission: 'members:read' },
  { label: words.roles, path: '/roles', icon: IconShieldLock, permission: 'roles:read' },
  { label: words.whyAllowed, path: '/permissions', icon: IconAffiliate, permission: 'roles:read' },
  { label: words.webhooks, path: '/webhooks', icon: IconWebhook, permission: 'webhooks:read' },
  { label: words.events, path: '/events', icon: IconListDetails, permission: 'events:read' },
  { label: words.apiKeys, path: '/api-keys', icon: IconKey, permission: 'api_keys:read' },
  { label: words.identityProviders, path: '/identity-providers', icon: IconLogin2, permission: 'organizations:read' },
  { label: words.breakGlass, path: '/break-glass', icon: IconAlertOctagon, permission: 'break_glass:request' },
  { label: words.settings, path: '/settings', icon: IconSettings, permission: 'organizations:read' },
];
