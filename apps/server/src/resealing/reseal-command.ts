import { loadConfig } from '#config';
import { loadOrCreateSecretsKey, SecretSealer } from '#crypto';
import { Client } from 'pg';
import { resealAll, type ResealedColumn } from './reseal.js';

/**
 * What `npm run reseal-secrets` does: seals everything under the newest key of `SECRETS_KEY` (or of the key file) and says line by line what
 * it did. True when nothing needs another key any more.
 * @throws ConfigError, and errors of the database
 */
export async function resealCommand(databaseUrl: string, say: (line: string) => void): Promise<boolean> {
  const config = loadConfig(process.env);
  const keys = config.secretsKeys.length > 0 ? config.secretsKeys : await loadOrCreateSecretsKey(config.dataDir);
  const sealer = new SecretSealer(keys);
  const client = new Client({ connectionString: databaseUrl, application_name: 'reseal-secrets' });
  await client.connect();
  try {
    const columns = await resealAll(client, sealer);
    for (const line of report(columns, sealer)) say(line);
    return columns.every(isDone);
  } finally {
    await client.end();
  }
}

const isDone = ({ left }: ResealedColumn): boolean => Object.keys(left).length === 0;

function report(columns: readonly ResealedColumn[], sealer: SecretSealer): string[] {
  const resealed = columns
    .filter(({ resealed }) => resealed > 0)
    .map(({ name, resealed }) => `Sealed anew: ${resealed} in ${name}.`);
  const unreadable = columns.flatMap(({ unreadable }) =>
    [...unreadable].map(
      (context) =>
        `Can't be opened, though its key is there: ${context}. It was changed outside the service; give it a new secret.`,
    ),
  );
  const left = columns.flatMap(({ name, left }) =>
    Object.entries(left).map(([id, count]) => `Left: ${count} in ${name} under key ${id}, ${whyLeft(id, sealer)}`),
  );
  const older = sealer.olderKeyIds;
  const end =
    left.length > 0
      ? 'Not everything is sealed under the newest key. Keep the others in SECRETS_KEY, and run this again.'
      : `Everything is sealed under key ${sealer.sealingKeyId}. ${
          older.length > 0 ? `SECRETS_KEY needs no other any more: ${older.join(', ')} may go.` : 'There is no older key.'
        }`;
  return [...resealed, ...unreadable, ...left, end];
}

const whyLeft = (id: string, sealer: SecretSealer): string =>
  sealer.olderKeyIds.includes(id)
    ? 'written meanwhile: a process still seals with it, so restart that.'
    : 'which SECRETS_KEY does not hold: add it at the end of the list.';
