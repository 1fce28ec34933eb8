import { newId, systemContext } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { openDataSource } from '#platform/database';
import { StartFailure } from '../start-failure.js';
import { ResealingQuery } from './resealing.query.js';
import { SEALED_COLUMNS } from './sealed-columns.js';

/**
 * Checks that the keys can decrypt the secrets in the database. Without this check, a service with a wrong key would start, and fail later at
 * tokens, sign-ins and webhooks.
 * @param source where the keys come from, for the message: `SECRETS_KEY`, or the path of the file
 * @throws StartFailure
 */
export async function assertKeysComplete(databaseUrl: string, keys: readonly Buffer[], source: string): Promise<void> {
  const { keyIds } = new SecretSealer(keys);
  const database = await openDataSource(databaseUrl, 'secrets-key-check');
  try {
    const query = new ResealingQuery(database);
    const columns = new Map<string, string[]>();
    for (const column of SEALED_COLUMNS)
      for (const id of await query.listKeyIds(systemContext(newId('request')), column))
        if (!keyIds.includes(id)) columns.set(id, [...(columns.get(id) ?? []), `${column.table}.${column.column}`]);
    if (columns.size > 0) throw new StartFailure(messageOf(columns, keyIds, source));
  } finally {
    await database.destroy();
  }
}

function messageOf(columns: ReadonlyMap<string, readonly string[]>, keyIds: readonly string[], source: string): string {
  const [missing = ''] = columns.keys();
  const list = [...columns].map(([id, names]) => `${id} (${names.join(', ')})`).join(', ');
  return `${source} lacks keys of secrets in this database: ${list}. It has ${keyIds.join(', ')}. Add the missing keys at the end of the list, or restore the previous value. If a key is lost: npm run reseal-secrets -- discard ${missing}`;
}
