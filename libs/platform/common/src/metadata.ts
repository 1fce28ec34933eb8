import { InvalidRequest } from './domain-error.js';

export type Metadata = Record<string, unknown>;

const MAX_BYTES = 16 * 1024;
const MAX_KEYS = 100;
export const METADATA_LIMITS = `at most ${MAX_BYTES / 1024} KB, ${MAX_KEYS} keys, 10 levels`;

/**
 * Merges a patch into metadata. Replaces the top-level keys of the patch and deletes keys with the value `null`. The patch itself must be
 * valid.
 * @throws InvalidRequest (400) if the result exceeds the limits
 */
export function mergeMetadata(current: Metadata, patch: Metadata): Metadata {
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  const result = Object.fromEntries(merged);
  if (merged.size > MAX_KEYS || Buffer.byteLength(JSON.stringify(result)) > MAX_BYTES) {
    throw new InvalidRequest([
      { pointer: '/metadata', in: 'body', code: 'too_large', message: `metadata would exceed its limits: ${METADATA_LIMITS}.` },
    ]);
  }
  return result;
}
