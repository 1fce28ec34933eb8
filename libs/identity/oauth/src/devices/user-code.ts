import { hashToken } from '#platform/crypto';
import type { NewArtifact } from '../tokens/oauth-artifact.query.js';

/** The letters of user codes: no vowels, so that no words appear, and no letters that look alike (RFC 8628, section 6.1). */
export const USER_CODE_CHARSET = 'base-20';
export const USER_CODE_MASK = '****-****';

const NORMALIZED = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/;

/** Returns the eight letters of a code that a person typed, or undefined if the text can't be a code. */
export function normalizedUserCode(text: string): string | undefined {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '');
  return NORMALIZED.test(letters) ? letters : undefined;
}

/** Returns a code as devices show it. */
export const shownUserCode = (normalized: string): string => `${normalized.slice(0, 4)}-${normalized.slice(4)}`;

/** Returns the id under which a user code is stored. Differs from the ids of tokens, which are never this short. */
export const userCodeId = (normalized: string): string => `user_code:${normalized}`;

/** Returns what finds the request of a device by its user code. */
export const userCodeArtifact = (normalized: string, deviceCode: string, tenantId: string, expiresAt: Date): NewArtifact => ({
  kind: 'UserCode',
  id: userCodeId(normalized),
  tenantId,
  payload: { deviceCodeHash: hashToken(deviceCode).toString('base64') },
  signInId: null,
  expiresAt,
});
