import { createHash } from 'node:crypto';

/** Digests of a payload and of its two parts. If one part is deleted, the remaining part can be verified. */
export interface PayloadDigests {
  /** SHA-256 of the payload as JSON, with null as `data`. */
  readonly envelope: Buffer;
  /** SHA-256 of `data` as JSON. */
  readonly data: Buffer;
  /** SHA-256 of the two digests, which is part of the hash chain. */
  readonly payload: Buffer;
}

const sha256 = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export function payloadDigests(payload: { readonly data: unknown }): PayloadDigests {
  const envelope = sha256(JSON.stringify({ ...payload, data: null }));
  const data = sha256(JSON.stringify(payload.data));
  return { envelope, data, payload: joinedDigest(envelope, data) };
}

/** Returns the digest of a payload, computed from the digests of its parts. */
export const joinedDigest = (envelope: Buffer, data: Buffer): Buffer => sha256(envelope, data);
