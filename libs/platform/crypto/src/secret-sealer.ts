import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORM = /^v1\.([0-9a-f]{8})\.([\w-]{16})\.([\w-]*)\.([\w-]{22})$/;

/** A sealed secret cannot be opened; the message says why, never what. */
export class SecretUnreadable extends Error {
  constructor(reason: string) {
    super(`A stored secret can't be decrypted: ${reason}.`);
    this.name = 'SecretUnreadable';
  }
}

/**
 * Seals the secrets that must be readable again (webhook secrets and headers, TOTP seeds, identity provider secrets):
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit IV, as text `v1.<key id>.<iv>.<ciphertext>.<tag>`, base64url.
 *
 * Each secret is bound to a context such as `webhooks|secret|wh_01…`, so that a sealed text copied to another row
 * or column does not open there.
 */
export class SecretSealer {
  /** Names the key that seals, as sealed texts do after their `v1.`. */
  readonly sealingKeyId: string;
  private readonly keys: ReadonlyMap<string, Buffer>;

  /**
   * @param keys 32 bytes each; the first seals, all open
   * @throws Error when there is none, one has another length, or one is there twice
   */
  constructor(keys: readonly Buffer[]) {
    if (keys.some((key) => key.length !== KEY_BYTES)) throw new Error(`Each encryption key must have ${KEY_BYTES} bytes.`);
    this.keys = new Map(keys.map((key) => [keyId(key), key]));
    const [sealing] = keys;
    if (!sealing) throw new Error('At least one encryption key is required.');
    if (this.keys.size < keys.length) throw new Error('The encryption keys must be distinct.');
    this.sealingKeyId = keyId(sealing);
  }

  /** Seals UTF-8 text; the same text gives another result each time. */
  seal(secret: string, context: string): string {
    const iv = randomBytes(IV_BYTES);
    // Stryker disable next-line ObjectLiteral: 16 bytes are also Node's default
    const cipher = createCipheriv(ALGORITHM, this.key(this.sealingKeyId), iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(context));
    const ciphertext = Buffer.concat([cipher.update(Buffer.from(secret)), cipher.final()]);
    const parts = [iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url'));
    return ['v1', this.sealingKeyId, ...parts].join('.');
  }

  /** Opens what `seal` made with the same context. @throws SecretUnreadable */
  open(sealed: string, context: string): string {
    const { id, iv, ciphertext, tag } = partsOf(sealed);
    // Stryker disable next-line ObjectLiteral: the form lets no shorter tag through
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

  /** The keys that open only, by their names. */
  get olderKeyIds(): string[] {
    return [...this.keys.keys()].filter((id) => id !== this.sealingKeyId);
  }

  private key(id: string): Buffer {
    const key = this.keys.get(id);
    if (!key) throw new SecretUnreadable(`its key ${id} is not in SECRETS_KEY; add that key at the end of the list`);
    return key;
  }
}

/** Names a key without telling anything of it: the first 8 hexadecimal digits of its SHA-256. */
function keyId(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

function associatedData(context: string): Buffer {
  if (context === '') throw new Error('A secret must be encrypted for a context, such as "webhooks|secret|<id>".');
  return Buffer.from(context);
}

function partsOf(sealed: string): { id: string; iv: Buffer; ciphertext: Buffer; tag: Buffer } {
  const parts = FORM.exec(sealed);
  if (!parts) throw new SecretUnreadable('it does not have the format v1.<key id>.<iv>.<ciphertext>.<tag>');
  const [, id, iv, ciphertext, tag] = parts as unknown as [string, string, string, string, string];
  return { id, iv: decoded(iv), ciphertext: decoded(ciphertext), tag: decoded(tag) };
}

/** Node ignores stray bits at the end of base64url; one secret must not have several sealed forms. */
function decoded(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new SecretUnreadable('its base64url is not canonical');
  return bytes;
}
