import { newId, systemContext } from '#platform/common';
import { readVariable, VARIABLES } from '#platform/config';
import { generateApiKey, hashToken } from '#platform/crypto';
import type { PlatformKeyQuery } from './platform-key.query.js';

const USAGE =
  'Usage: npm run platform-keys   |   npm run platform-keys -- create [name]   |   npm run platform-keys -- revoke <id>';
const MAX_NAME_LENGTH = 100;

/**
 * Lists the platform keys, creates a platform key and prints it, or revokes a platform key. The API has no such operations, so a leaked
 * platform key can't lock out the operator.
 */
export async function platformKeys(keys: PlatformKeyQuery, [action = 'list', id, ...more]: readonly string[]): Promise<void> {
  if (more.length === 0 && action === 'list' && id === undefined) await list(keys);
  else if (more.length === 0 && action === 'create') await create(keys, id);
  else if (more.length === 0 && action === 'revoke' && id !== undefined) await revoke(keys, id);
  else throw new Error(USAGE);
}

async function list(keys: PlatformKeyQuery): Promise<void> {
  const rows = await keys.list(systemContext(newId('request')));
  const time = (at: Date | null): string => at?.toISOString() ?? 'never';
  for (const { id, name, excerpt, createdAt, lastUsedAt, revokedAt } of rows) {
    const state = revokedAt ? `revoked ${time(revokedAt)}` : `active, last used ${time(lastUsedAt)}`;
    console.log(`${id}  ${name}  ${excerpt}  created ${time(createdAt)}, ${state}`);
  }
  if (rows.length === 0)
    console.log('There is no platform key. Create one with "npm run platform-keys -- create", or set PLATFORM_API_KEY.');
}

async function create(keys: PlatformKeyQuery, name = 'Command line'): Promise<void> {
  if (name.trim() === '' || name.length > MAX_NAME_LENGTH)
    throw new Error(`The name must have 1 to ${MAX_NAME_LENGTH} characters.`);
  const serviceName = readVariable(process.env, 'SERVICE_NAME') || VARIABLES.SERVICE_NAME.default;
  const { key, prefix, last4 } = generateApiKey(serviceName);
  await keys.insert(systemContext(newId('request')), newId('apiKey'), name, { prefix, last4, hash: hashToken(key) });
  console.log(`Platform API key, shown only once: ${key}`);
}

async function revoke(keys: PlatformKeyQuery, id: string): Promise<void> {
  const source = await keys.revoke(systemContext(newId('request')), id);
  if (source === undefined)
    throw new Error(`There is no platform key ${id}. Run "npm run platform-keys" to list the platform keys.`);
  console.log(`Revoked ${id}. All processes reject it within a second.`);
  if (source === 'environment')
    console.log('This key is set in PLATFORM_API_KEY. Change that variable too, or the next start makes the key valid again.');
}
