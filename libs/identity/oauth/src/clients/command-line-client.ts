import { PLATFORM_TENANT } from '#platform/common';
import { newClient } from './client-values.js';
import { DEVICE_CODE_GRANT, type OAuthClient } from './oauth-client.entity.js';

/** The `client_id` of the command-line program, the same in every installation (packages/cli). */
export const COMMAND_LINE_CLIENT_ID = 'app_command_line';

/** What the commands of the program can do for a user. */
const SCOPES = ['organizations:*', 'users:*', 'members:*', 'roles:read', 'api_keys:*', 'webhooks:*', 'events:read'];

/** The platform, to which the client belongs. */
export const COMMAND_LINE_HOME = { tenantId: PLATFORM_TENANT, organizationId: null };

/** Returns the client with which users sign in to the command-line program. `ownApi` is the identifier of this service's API. */
export function commandLineClient(ownApi: string, now: Date): OAuthClient {
  const values = newClient(
    {
      name: 'Command line',
      type: 'native',
      grantTypes: [DEVICE_CODE_GRANT, 'refresh_token'],
      scopes: ['openid', 'offline_access'],
      resources: [{ identifier: ownApi, scopes: SCOPES }],
    },
    now,
  );
  const owner = { createdByType: 'platform', createdById: null, ownerTenantId: null, ownerId: null };
  return Object.assign(values, COMMAND_LINE_HOME, owner, { id: COMMAND_LINE_CLIENT_ID });
}
