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
import type { TextId } from '../../texts';

/** An entry of an organization's navigation. */
export interface Area {
  readonly label: TextId;
  /** Below the organization's address. */
  readonly path: string;
  readonly icon: Icon;
  /** Without it the entry is not shown. */
  readonly permission: string;
}

/** What can be seen and done in an organization. */
export const AREAS: readonly Area[] = [
  { label: 'shell.areas.overview', path: '', icon: IconHome, permission: 'organizations:read' },
  { label: 'shell.areas.users', path: '/users', icon: IconUsers, permission: 'users:read' },
  { label: 'shell.areas.members', path: '/members', icon: IconUsersGroup, permission: 'members:read' },
  { label: 'shell.areas.roles', path: '/roles', icon: IconShieldLock, permission: 'roles:read' },
  { label: 'shell.areas.whyAllowed', path: '/permissions', icon: IconAffiliate, permission: 'roles:read' },
  { label: 'shell.areas.webhooks', path: '/webhooks', icon: IconWebhook, permission: 'webhooks:read' },
  { label: 'shell.areas.events', path: '/events', icon: IconListDetails, permission: 'events:read' },
  { label: 'shell.areas.apiKeys', path: '/api-keys', icon: IconKey, permission: 'api_keys:read' },
  { label: 'shell.areas.identityProviders', path: '/identity-providers', icon: IconLogin2, permission: 'organizations:read' },
  { label: 'shell.areas.breakGlass', path: '/break-glass', icon: IconAlertOctagon, permission: 'break_glass:request' },
  { label: 'shell.areas.settings', path: '/settings', icon: IconSettings, permission: 'organizations:read' },
];
