import type { SigningKey } from './signing-key.entity.js';

/** ECDSA with P-256 and SHA-256 (RFC 7518, section 3.4), which every JWT library supports. */
export const SIGNING_ALGORITHM = 'ES256';

export const ACCESS_TOKEN_LIFETIME_MS = 5 * 60_000;
const SIGNING_PERIOD_MS = 30 * 24 * 3_600_000;
/** The time from the publication of a key to its first signature. Clients cache published keys for less time. */
const PUBLISHED_BEFORE_MS = 24 * 3_600_000;
/** The time for which a key stays published after its last signature: the lifetime of a token, plus an hour for clock differences. */
const PUBLISHED_AFTER_MS = ACCESS_TOKEN_LIFETIME_MS + 3_600_000;

type Timed = Pick<SigningKey, 'kid' | 'signsFrom'>;

/** Returns the key that signs at `now`. `keys` must be sorted by `signsFrom`. */
export const signingAt = <K extends Timed>(keys: readonly K[], now: Date): K | undefined =>
  keys.findLast(({ signsFrom }) => signsFrom <= now);

export interface Rotation {
  /** The time from which a new key signs. */
  readonly createFrom?: Date;
  /** The ids of keys whose last token has expired. */
  readonly expired: readonly string[];
}

/**
 * Returns the key changes that are due. A key signs for 30 days. A key is published from one day before its first signature until its last
 * token has expired.
 */
export function rotationAt(keys: readonly Timed[], now: Date): Rotation {
  const current = signingAt(keys, now);
  const superseded = keys.filter((_, index) => {
    const successor = keys[index + 1];
    return successor !== undefined && successor.signsFrom.getTime() + PUBLISHED_AFTER_MS <= now.getTime();
  });
  const expired = superseded.map(({ kid }) => kid);
  if (!current) return { createFrom: now, expired };
  const endsAt = current.signsFrom.getTime() + SIGNING_PERIOD_MS;
  const hasSuccessor = keys.at(-1) !== current;
  if (hasSuccessor || now.getTime() < endsAt - PUBLISHED_BEFORE_MS) return { expired };
  return { createFrom: new Date(Math.max(endsAt, now.getTime() + PUBLISHED_BEFORE_MS)), expired };
}

export const isDue = ({ createFrom, expired }: Rotation): boolean => createFrom !== undefined || expired.length > 0;
