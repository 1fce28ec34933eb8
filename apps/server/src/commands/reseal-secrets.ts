import { loadConfig } from '#platform/config';
import { loadOrCreateSecretsKey, SecretSealer } from '#platform/crypto';
import type { Client } from 'pg';
import { resealAll, type ResealedColumn } from '../resealing/reseal.js';

/**
 * Seals everything under the newest key of `SECRETS_KEY` (or of the key file), while the service runs, and says line by line what it did:
 * docs/operations.md has the steps. The exit code is 0 when nothing needs another key any more.
 * @throws ConfigError, and errors of the database
 */
export async function resealSecrets(client: Client): Promise<void> {
  const config = loadConfig(process.env);
  const keys = config.secretsKeys.length > 0 ? config.secretsKeys : await loadOrCreateSecretsKey(config.dataDir);
  const sealer = new SecretSealer(keys);
  const columns = await resealAll(client, sealer);
  for (const line of report(columns, sealer)) console.log(line);
  if (!columns.every(isDone)) process.exitCode = 1;
}

const isDone = ({ left }: ResealedColumn): boolean => Object.keys(left).length === 0;

function report(columns: readonly ResealedColumn[], sealer: SecretSealer): string[] {
  const resealed = columns
    .filter(({ resealed }) => resealed > 0)
    .map(({ name, resealed }) => `Encrypted again: ${resealed} in ${name}.`);
  const unreadable = columns.flatMap(({ unreadable }) =>
    [...unreadable].map(
      (context) =>
        `Can't be decrypted, although its key is known: ${context}. It was modified outside the service; set a new secret.`,
    ),
  );
  const left = columns.flatMap(({ name, left }) =>
    Object.entries(left).map(([id, count]) => `Remaining: ${count} in ${name} under key ${id}, ${whyLeft(id, sealer)}`),
  );
  const older = sealer.olderKeyIds;
  const end =
    left.length > 0
      ? 'Not everything is encrypted with the newest key. Keep the other keys in SECRETS_KEY, and run this command again.'
      : `Everything is encrypted with key ${sealer.sealingKeyId}. ${
          older.length > 0 ? `You can remove the older keys from SECRETS_KEY: ${older.join(', ')}.` : 'There is no older key.'
        }`;
  return [...resealed, ...unreadable, ...left, end];
}

const whyLeft = (id: string, sealer: SecretSealer): string =>
  sealer.olderKeyIds.includes(id)
    ? 'written in the meantime: a process still encrypts with this key. Restart that process.'
    : 'which is not in SECRETS_KEY: add it at the end of the list.';
