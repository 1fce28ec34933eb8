import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = /^v1\.([0-9a-f]{8})\.([\w-]{16})\.([\w-]*)\.([\w-]{22})$/;

/** A secret can't be decrypted. The message contains the reason and never the secret. */
export class SecretUnreadable extends Error {
  /** @param missingKeyId the ID of the key, if `SECRETS_KEY` lacks the key. The secret is readable again with the key. */
  constructor(
    reason: string,
    readonly missingKeyId?: string,
  ) {
    super(`A stored secret can't be decrypted: ${reason}.`);
    this.name = 'SecretUnreadable';
  }
}

/**
 * Encrypts ("seals") secrets that the service must read later, such as webhook secrets, TOTP seeds and client secrets of identity
 * providers. Uses AES-256-GCM (NIST SP 800-38D) with a random 96-bit IV. The format is `v1.<key id>.<iv>.<ciphertext>.<tag>` in base64url.
 *
 * Each secret is bound to a context such as `webhooks|secret|wh_01…`. A copy of the encrypted text in another row or column can't be
 * decrypted.
 */
export class SecretSealer {
  /** ID of the key that encrypts: the second part of new encrypted texts. */
  readonly sealingKeyId: string;
  private readonly keys: ReadonlyMap<string, Buffer>;

  /**
   * @param keys keys of 32 bytes: the first encrypts, all decrypt
   * @throws Error if the list is empty, or if a key has another length or is in the list twice
   */
  constructor(keys: readonly Buffer[]) {
    if (keys.some((key) => key.length !== KEY_BYTES)) throw new Error(`Each encryption key must have ${KEY_BYTES} bytes.`);
    this.keys = new Map(keys.map((key) => [keyId(key), key]));
    const [sealing] = keys;
    if (!sealing) throw new Error('At least one encryption key is required.');
    if (this.keys.size < keys.length) throw new Error('The encryption keys must be distinct.');
    this.sealingKeyId = keyId(sealing);
  }

  /** Encrypts a text. The result is different in each call. */
  seal(secret: string, context: string): string {
    const iv = randomBytes(IV_BYTES);
    // Stryker disable next-line ObjectLiteral: 16 bytes are also Node's default
    const cipher = createCipheriv(ALGORITHM, this.key(this.sealingKeyId), iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(context));
    const ciphertext = Buffer.concat([cipher.update(Buffer.from(secret)), cipher.final()]);
    const parts = [iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'));
    return ['v1', this.sealingKeyId, ...parts].join('.');
  }

  /** Decrypts a text that `seal` encrypted with the same context. @throws SecretUnreadable */
  open(sealed: string, context: string): string {
    const { id, iv, ciphertext, tag } = partsOf(sealed);
    // Stryker disable next-line ObjectLiteral: the format has no shorter tag
    const decipher = createDecipheriv(ALGORITHM, this.key(id), iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(associatedData(context));
    decipher.setAuthTag(tag);
    const opened = decipher.update(ciphertext);
    try {
      return Buffer.concat([opened, decipher.final()]).toString();
    } catch {
      throw new SecretUnreadable('it was modified, or it belongs to another row or column');
    }
  }

  /** IDs of all keys. */
  get keyIds(): string[] {
    return [...this.keys.keys()];
  }

  /** IDs of the keys that only decrypt. */
  get previousKeyIds(): string[] {
    return this.keyIds.filter((id) => id !== this.sealingKeyId);
  }

  private key(id: string): Buffer {
    const key = this.keys.get(id);
    if (!key) throw new SecretUnreadable(`its key ${id} is not in SECRETS_KEY; add that key at the end of the list`, id);
    return key;
  }
}

/** Returns the ID of a key: the first 8 hexadecimal digits of its SHA-256. The ID reveals nothing about the key. */
function keyId(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

function associatedData(context: string): Buffer {
  if (context === '') throw new Error('A secret must be encrypted for a context, such as "webhooks|secret|<id>".');
  return Buffer.from(context);
}

function partsOf(sealed: string): { id: string; iv: Buffer; ciphertext: Buffer; tag: Buffer } {
  const parts = FORMAT.exec(sealed);
  if (!parts) throw new SecretUnreadable('it does not have the format v1.<key id>.<iv>.<ciphertext>.<tag>');
  const [, id, iv, ciphertext, tag] = parts as unknown as [string, string, string, string, string];
  return { id, iv: decoded(iv), ciphertext: decoded(ciphertext), tag: decoded(tag) };
}

/** Rejects unused bits at the end of base64url, which Node ignores. An encrypted secret must have only one encoding. */
function decoded(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new SecretUnreadable('its base64url is not canonical');
  return bytes;
}
