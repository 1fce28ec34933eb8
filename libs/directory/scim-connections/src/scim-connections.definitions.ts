import { defineIdPrefix, definePermissions } from '#platform/common';
import { defineEvents } from '#platform/events';
import { defineApiSection } from '#platform/http';
import type { ScimConnection } from './scim-connection.entity.js';
import type { ScimToken } from './scim-token.entity.js';

/** A SCIM connection in the `data` of events. */
export interface ScimConnectionData {
  id: string;
  organizationId: string;
  name: string;
  adoptExistingUsers: boolean;
  allowLocalChanges: boolean;
  mode: string;
  maxRemovals: number | null;
  maxRemovalPercent: number | null;
  createdAt: string;
}

/** A SCIM token in the `data` of events. */
export interface ScimTokenData {
  id: string;
  connectionId: string;
  organizationId: string;
  name: string;
  expiresAt: string | null;
  createdAt: string;
}

declare module '#platform/common' {
  interface ResourceKinds {
    scimConnection: string;
    scimToken: string;
  }
  interface ServicePermissions {
    'scim:read': string;
    'scim:write': string;
  }
}

declare module '#platform/events' {
  interface EventCatalog {
    'scim_connection.created': ScimConnectionData;
    'scim_connection.updated': ScimConnectionData & { changes: Record<string, unknown> };
    'scim_connection.deleted': ScimConnectionData;
    'scim_connection.stopped': ScimConnectionData & { removedUsers: number };
    'scim_connection.rolled_back': ScimConnectionData & { restoredUsers: number };
    'scim_token.created': ScimTokenData;
    'scim_token.revoked': ScimTokenData & { reason: 'rotated' | 'revoked' };
  }
}

defineIdPrefix('scimConnection', 'scim');
defineIdPrefix('scimToken', 'scimt');

defineApiSection(
  'SCIM connections',
  'Connections with which the directory of a customer, such as Okta or Entra ID, provisions users and groups with SCIM 2.0.',
);

definePermissions(
  {
    'scim:read': 'View SCIM connections and their tokens.',
    'scim:write': 'Create, change and delete SCIM connections and their tokens.',
  },
  // A connection decides about owners, so only owners can create one.
  { admin: ['scim:read'], viewer: ['scim:read'] },
);

const CONNECTION: ScimConnectionData = {
  id: 'scim_01kf2bav4hf7r8v2m5n9q1c3ek',
  organizationId: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  name: 'Okta',
  adoptExistingUsers: false,
  allowLocalChanges: false,
  mode: 'active',
  maxRemovals: 100,
  maxRemovalPercent: 10,
  createdAt: '2026-01-15T09:00:00.000Z',
};

const TOKEN: ScimTokenData = {
  id: 'scimt_01kf2bav4hf7r8v2m5n9q1c3ek',
  connectionId: CONNECTION.id,
  organizationId: CONNECTION.organizationId,
  name: 'Okta',
  expiresAt: '2027-01-15T09:00:00.000Z',
  createdAt: '2026-01-15T09:00:00.000Z',
};

defineEvents({
  'scim_connection.created': { description: 'A SCIM connection was created.', example: CONNECTION },
  'scim_connection.updated': {
    description: 'A SCIM connection was changed.',
    example: { ...CONNECTION, name: 'Okta production', changes: { name: { from: 'Okta', to: 'Okta production' } } },
  },
  'scim_connection.deleted': {
    description: 'A SCIM connection was deleted. Its users and groups stay, and are managed with the API from then on.',
    example: CONNECTION,
  },
  'scim_connection.stopped': {
    description:
      'A SCIM connection would have suspended or deleted more users within an hour than its limits allow. All its changes are rejected until it is activated again. `removedUsers` is the number of users whom it had removed within the hour.',
    example: { ...CONNECTION, mode: 'stopped', removedUsers: 100 },
  },
  'scim_connection.rolled_back': {
    description: 'The users whom a stopped SCIM connection had suspended or deleted were restored.',
    example: { ...CONNECTION, mode: 'stopped', restoredUsers: 100 },
  },
  'scim_token.created': { description: 'A token of a SCIM connection was created.', example: TOKEN },
  'scim_token.revoked': {
    description: 'A token of a SCIM connection was revoked, or replaced by a rotation.',
    example: { ...TOKEN, reason: 'revoked' },
  },
});

/** Returns the `data` of events about a SCIM connection. */
export function scimConnectionData(connection: ScimConnection): ScimConnectionData {
  const { id, organizationId, name, adoptExistingUsers, allowLocalChanges, mode, maxRemovals, maxRemovalPercent } = connection;
  return {
    id,
    organizationId,
    name,
    adoptExistingUsers,
    allowLocalChanges,
    mode,
    maxRemovals,
    maxRemovalPercent,
    createdAt: connection.createdAt.toISOString(),
  };
}

/** Returns the `data` of events about a token. */
export function scimTokenData(
  { id, connectionId, name, expiresAt, createdAt }: ScimToken,
  { organizationId }: Pick<ScimConnection, 'organizationId'>,
): ScimTokenData {
  return {
    id,
    connectionId,
    organizationId,
    name,
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
