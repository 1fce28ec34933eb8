import { baseUrl } from '../../../api/base-url';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import { showNewSecret } from '../../../ui/new-secret-dialog';
import { covers } from '../../permissions';

/** Paths for a test request, with the required scope. */
const TEST_PATHS: readonly [permission: string, path: string][] = [
  ['organizations:read', ''],
  ['users:read', '/users'],
  ['members:read', '/members'],
  ['roles:read', '/roles'],
  ['webhooks:read', '/webhooks'],
  ['events:read', '/events'],
  ['api_keys:read', '/api-keys'],
];

/** Shows a new key once, with a command to test the key. */
export function showNewKey(org: string, { key, scopes }: Schema<'CreatedApiKeyResponse'>): void {
  const path = TEST_PATHS.find(([permission]) => covers(scopes, permission))?.[1];
  const curl = path !== undefined && `curl -H 'Authorization: Bearer ${key}' ${baseUrl}/v1/organizations/${org}${path}`;
  showNewSecret({
    title: t('apiKeys.shownTitle'),
    warning: t('apiKeys.shownOnce'),
    secret: { label: t('apiKeys.theKey'), value: key },
    ...(curl ? { command: { label: t('apiKeys.tryIt'), copyLabel: t('apiKeys.curl'), value: curl } } : {}),
    confirmLabel: t('apiKeys.kept'),
  });
}
