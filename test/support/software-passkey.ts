import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** The JSON of the response of a browser to a challenge. */
interface CredentialJson {
  id: string;
  rawId: string;
  type: 'public-key';
  response: Record<string, unknown>;
  clientExtensionResults: object;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;
const text = (bytes: Buffer): string => bytes.toString('base64url');
const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** A passkey in software for tests without a browser (Web Authentication level 3, ES256, no attestation). */
export class SoftwarePasskey {
  readonly credentialId = text(randomBytes(16));
  /** The public key in COSE format (RFC 9053), the stored format of the service. */
  readonly publicKey: Buffer;
  private readonly privateKey;

  constructor(
    private readonly origin: string,
    private readonly rpId = new URL(origin).hostname,
  ) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' });
    const [head, between] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')];
    this.publicKey = Buffer.concat([head, Buffer.from(x!, 'base64url'), between, Buffer.from(y!, 'base64url')]);
    this.privateKey = privateKey;
  }

  /** Returns the response of `navigator.credentials.create()`. */
  registration(challenge: string): CredentialJson {
    const id = Buffer.from(this.credentialId, 'base64url');
    const length = Buffer.from([0, id.length]);
    const data = Buffer.concat([
      this.authenticatorData(USER_VERIFIED | HAS_CREDENTIAL),
      Buffer.alloc(16),
      length,
      id,
      this.publicKey,
    ]);
    // {"fmt": "none", "attStmt": {}, "authData": data} in CBOR.
    const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex');
    const attestationObject = text(Buffer.concat([head, Buffer.from([data.length]), data]));
    return this.credential({ clientDataJSON: text(this.clientData('webauthn.create', challenge)), attestationObject });
  }

  /** Returns the response of `navigator.credentials.get()`. The counter of a synced passkey stays 0. */
  assertion(challenge: string, { counter = 0, isUserVerified = true } = {}): CredentialJson {
    const authenticatorData = this.authenticatorData(isUserVerified ? USER_VERIFIED : 0, counter);
    const clientData = this.clientData('webauthn.get', challenge);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.privateKey);
    return this.credential({
      clientDataJSON: text(clientData),
      authenticatorData: text(authenticatorData),
      signature: text(signature),
    });
  }

  private credential(response: Record<string, unknown>): CredentialJson {
    return { id: this.credentialId, rawId: this.credentialId, type: 'public-key', response, clientExtensionResults: {} };
  }

  private authenticatorData(flags: number, counter = 0): Buffer {
    return Buffer.concat([sha256(this.rpId), Buffer.from([USER_PRESENT | flags, 0, 0, 0, counter])]);
  }

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }
}
