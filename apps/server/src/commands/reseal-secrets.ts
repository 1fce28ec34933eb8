import { loadConfig } from '#platform/config';
import { loadOrCreateSecretsKey, SecretSealer } from '#platform/crypto';
import type { TransactionRunner } from '#platform/database';
import type { ResealingQuery } from '../resealing/resealing.query.js';
import { type ResealedColumn, SecretResealer } from '../resealing/secret-resealer.js';

const USAGE = 'Usage: npm run reseal-secrets   |   npm run reseal-secrets -- discard <id of a lost key>';

/**
 * Seals all secrets with the newest key of `SECRETS_KEY` (or of the key file), while the service runs, and prints a report.
 * With `discard`, removes what only a lost key can decrypt. `docs/operations.md` has the steps. The exit code is 0 if only the newest key is needed.
 * @throws ConfigError
 */
export async function resealSecrets(
  query: ResealingQuery,
  transactions: TransactionRunner,
  [action, keyId, ...more]: readonly string[],
): Promise<void> {
  if (more.length > 0 || (action === undefined) !== (keyId === undefined) || (action ?? 'discard') !== 'discard')
    throw new Error(USAGE);
  const config = loadConfig(process.env);
  const keys = config.secretsKeys.length > 0 ? config.secretsKeys : await loadOrCreateSecretsKey(config.dataDir);
  const sealer = new SecretSealer(keys);
  const resealer = new SecretResealer(query, transactions, sealer);
  if (keyId !== undefined) return discard(resealer, sealer, keyId);
  const columns = await resealer.resealAll();
  for (const line of report(columns, sealer)) console.log(line);
  if (!columns.every(isDone)) process.exitCode = 1;
}

/** Removes what only a lost key can decrypt, so that the service starts without the key. @throws Error if the key is not lost */
async function discard(resealer: SecretResealer, sealer: SecretSealer, keyId: string): Promise<void> {
  if (sealer.keyIds.includes(keyId))
    throw new Error(
      `The key ${keyId} is in SECRETS_KEY. Run "npm run reseal-secrets" to encrypt its secrets with the newest key.`,
    );
  const counts = [...(await resealer.discard(keyId))].filter(([, count]) => count > 0);
  for (const [name, count] of counts) console.log(`Discarded: ${count} in ${name}.`);
  console.log(
    counts.length === 0
      ? `Nothing is encrypted with key ${keyId}.`
      : `Nothing is encrypted with key ${keyId} any more. Set the secrets of these webhooks and identity providers again, and reset the authenticator apps.`,
  );
}

const isDone = ({ remaining }: ResealedColumn): boolean => Object.keys(remaining).length === 0;

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
  const remaining = columns.flatMap(({ name, remaining }) =>
    Object.entries(remaining).map(([id, count]) => `Remaining: ${count} in ${name} under key ${id}, ${whyRemaining(id, sealer)}`),
  );
  const older = sealer.previousKeyIds;
  const end =
    remaining.length > 0
      ? 'Not everything is encrypted with the newest key. Keep the other keys in SECRETS_KEY, and run this command again.'
      : `Everything is encrypted with key ${sealer.sealingKeyId}. ${
          older.length > 0 ? `You can remove the older keys from SECRETS_KEY: ${older.join(', ')}.` : 'There is no older key.'
        }`;
  return [...resealed, ...unreadable, ...remaining, end];
}

const whyRemaining = (id: string, sealer: SecretSealer): string =>
  sealer.previousKeyIds.includes(id)
    ? 'written in the meantime: a process still encrypts with this key. Restart that process.'
    : 'which is not in SECRETS_KEY: add it at the end of the list.';
