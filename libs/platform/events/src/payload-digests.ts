import { createHash } from 'node:crypto';

/** What proves a payload: one digest over the two of its parts, so that either part can be taken away and the other still be proven. */
export interface PayloadDigests {
  /** Of the payload with `data` being null, as JSON. */
  readonly envelope: Buffer;
  /** Of `data` alone, as JSON. */
  readonly data: Buffer;
  /** SHA-256 of the two digests, one after the other: what the chain of events holds. */
  readonly payload: Buffer;
}

const sha256 = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The digests of an event's payload. */
export function payloadDigests(payload: { readonly data: unknown }): PayloadDigests {
  const envelope = sha256(JSON.stringify({ ...payload, data: null }));
  const data = sha256(JSON.stringify(payload.data));
  return { envelope, data, payload: joinedDigest(envelope, data) };
}

/** The digest of a payload from those of its parts. */
export const joinedDigest = (envelope: Buffer, data: Buffer): Buffer => sha256(envelope, data);
