import type { Changes } from '#platform/common';
import * as example from '../catalog-examples.js';
import type {
  EventsExportedData,
  MemberAddedData,
  MemberRemovedData,
  OrganizationData,
  OrganizationMovedData,
} from '../event-data.js';
import { event } from './event-definition.js';

export const ORGANIZATION_EVENTS = {
  'organization.created': event<OrganizationData>(
    'An organization was created. Webhooks of its parent organization receive the event, too.',
    example.organization,
  ),
  'organization.updated': event<OrganizationData & { changes: Changes }>(
    'An organization was updated, suspended, activated or restored. `changes` contains the previous and the new value of each changed field.',
    {
      ...example.organization,
      changes: { name: { from: 'Acme', to: 'Acme Corporation' } },
    },
  ),
  'organization.moved': event<OrganizationMovedData>(
    'An organization was moved to another parent with its descendants. `changes` contains the previous and the new `parentId` and, if they changed, the effective settings. `changedDescendants` contains up to 100 descendants whose effective settings changed. Webhooks of the new parent organization receive the event, too. Webhooks of previous and new ancestors receive it if they include descendants.',
    {
      ...example.organization,
      changes: { parentId: { from: 'org_01kf2b7m9ze4k8s1t6w3a5y0pe', to: example.organization.parentId } },
      organizationCount: 2,
      changedDescendantCount: 1,
      changedDescendants: [
        {
          id: 'org_01kf2b7m9ze4k8s1t6w3a5y0pf',
          name: 'Acme Berlin',
          changes: { requireMfa: { from: false, to: true } },
        },
      ],
    },
  ),
  'organization.deleted': event<OrganizationData & { deletedAt: string; purgeAt: string }>(
    'An organization was deleted. It can be restored until `purgeAt`. A separate event is published for each deleted descendant organization. Webhooks of the parent organization receive the event, too.',
    {
      ...example.organization,
      deletedAt: example.LATER,
      purgeAt: '2026-02-14T10:00:00.000Z',
    },
  ),
  'organization.member_added': event<MemberAddedData>(
    'A user was added to an organization. When a user is created in an organization, only `user.created` is published.',
    {
      organizationId: example.ORGANIZATION_ID,
      userId: example.USER_ID,
      email: 'ada@example.com',
      role: 'member',
      joinedAt: example.LATER,
    },
  ),
  'organization.member_removed': event<MemberRemovedData>(
    'A member was removed from an organization. `role` is the role that the member had.',
    {
      organizationId: example.ORGANIZATION_ID,
      userId: example.USER_ID,
      email: 'ada@example.com',
      role: 'member',
      removedAt: example.LATER,
    },
  ),
  'organization.access_report_exported': event<{ format: string; asOf?: string }>(
    'A report of all users and API keys with permissions in an organization was exported. `asOf` is the moment of a report about the past.',
    { format: 'csv' },
  ),
  'organization.events_exported': event<EventsExportedData>(
    'Events of an organization were exported. `filters` contains the filters of the request; `search` is only `true`, because a searched text can be personal data.',
    { format: 'csv', filters: { type: ['role.assigned', 'role.revoked'], search: true } },
  ),
} as const;
