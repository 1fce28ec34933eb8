import type { SigningKey } from './signing-key.entity.js';

/** The one algorithm: ECDSA with P-256 and SHA-256 (RFC 7518, section 3.4), which every JWT library knows. */
export const SIGNING_ALGORITHM = 'ES256';

export const ACCESS_TOKEN_LIFETIME_MS = 5 * 60_000;
const SIGNING_PERIOD_MS = 30 * 24 * 3_600_000;
/** Longer than anybody caches the published keys. */
const PUBLISHED_BEFORE_MS = 24 * 3_600_000;
/** The life of the last token, and generous room for clocks that differ. */
const PUBLISHED_AFTER_MS = ACCESS_TOKEN_LIFETIME_MS + 3_600_000;

type Timed = Pick<SigningKey, 'kid' | 'signsFrom'>;

/** The key that signs at a moment; keys are given in the order of `signsFrom`. */
export const signingAt = <K extends Timed>(keys: readonly K[], now: Date): K | undefined =>
  keys.findLast(({ signsFrom }) => signsFrom <= now);

/** What has to be done about the keys at a moment. */
export interface Rotation {
  /** When a key that is to be made now begins to sign. */
  readonly createFrom?: Date;
  /** Keys whose last token has ended. */
  readonly removed: readonly string[];
}

/** A key signs for 30 days. Its successor is made and published a day earlier; it stays published until the last of its tokens has ended. */
export function rotationAt(keys: readonly Timed[], now: Date): Rotation {
  const current = signingAt(keys, now);
  const superseded = keys.filter((_, index) => {
    const successor = keys[index + 1];
    return successor !== undefined && successor.signsFrom.getTime() + PUBLISHED_AFTER_MS <= now.getTime();
  });
  const removed = superseded.map(({ kid }) => kid);
  if (!current) return { createFrom: now, removed };
  const endsAt = current.signsFrom.getTime() + SIGNING_PERIOD_MS;
  const hasSuccessor = keys.at(-1) !== current;
  if (hasSuccessor || now.getTime() < endsAt - PUBLISHED_BEFORE_MS) return { removed };
  return { createFrom: new Date(Math.max(endsAt, now.getTime() + PUBLISHED_BEFORE_MS)), removed };
}

export const isDue = ({ createFrom, removed }: Rotation): boolean => createFrom !== undefined || removed.length > 0;
