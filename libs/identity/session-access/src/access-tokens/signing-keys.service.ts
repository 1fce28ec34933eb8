import { Injectable } from '@nestjs/common';
import { newId, type RequestContext, systemContext, WorkerLoop } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { SecretSealer } from '#platform/crypto';
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { SigningKey } from './signing-key.entity.js';
import { isDue, rotationAt, SIGNING_ALGORITHM, signingAt } from './signing-key-rotation.js';
import { SigningKeyRepository } from './signing-key.repository.js';

const ROTATION_INTERVAL_MS = 3_600_000;
/** Far below the day for which a new key is published before it signs. */
const REMEMBERED_MS = 60_000;

/**
 * The keys that sign access tokens. They rotate by themselves, whichever process comes first; the private parts are sealed. Their rows are
 * remembered for a minute, and rotation looks a day ahead, so that all processes and verifiers know a key before it signs.
 */
@Injectable()
export class SigningKeysService extends WorkerLoop {
  private remembered?: { readonly keys: readonly SigningKey[]; readonly at: Date };
  private opened?: { readonly kid: string; readonly key: CryptoKey };

  constructor(
    config: AppConfig,
    private readonly rows: SigningKeyRepository,
    private readonly work: UnitOfWork,
    private readonly sealer: SecretSealer,
  ) {
    super(config, 'SigningKeys', ROTATION_INTERVAL_MS);
  }

  /** Rotates the keys if it is time. */
  async run(): Promise<void> {
    await this.keys();
  }

  /** The key that signs now. @throws SecretUnreadable when `SECRETS_KEY` lacks the key that sealed it */
  async current(): Promise<{ kid: string; key: CryptoKey }> {
    const current = signingAt(await this.keys(), this.work.now());
    if (!current) throw new Error('There is no signing key for access tokens, although one was just created.');
    if (this.opened?.kid !== current.kid) this.opened = { kid: current.kid, key: await this.open(current) };
    return this.opened;
  }

  /** The public keys that verify tokens now or will soon (RFC 7517). */
  async published(): Promise<JWK[]> {
    const keys = await this.keys();
    return keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' }));
  }

  /** All keys, rotated if it is time. */
  private async keys(): Promise<readonly SigningKey[]> {
    const now = this.work.now();
    const age = this.remembered ? Math.abs(now.getTime() - this.remembered.at.getTime()) : Infinity;
    if (this.remembered && age < REMEMBERED_MS) return this.remembered.keys;
    const ctx = systemContext(newId('request'));
    let keys = await this.rows.list(ctx);
    if (isDue(rotationAt(keys, now))) keys = await this.rotate(ctx, now);
    this.remembered = { keys, at: now };
    return keys;
  }

  private async rotate(ctx: RequestContext, now: Date): Promise<SigningKey[]> {
    return this.work.run(ctx, async (ctx) => {
      await this.rows.lockRotation(ctx);
      // Another process may have been first.
      const { createFrom, removed } = rotationAt(await this.rows.list(ctx), now);
      if (createFrom) await this.rows.insert(ctx, await this.generate(createFrom, now));
      await this.rows.delete(ctx, removed);
      return this.rows.list(ctx);
    });
  }

  private async generate(signsFrom: Date, createdAt: Date): Promise<SigningKey> {
    const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
    const publicJwk = await exportJWK(publicKey);
    const kid = await calculateJwkThumbprint(publicJwk);
    const privateJwkSealed = this.sealer.seal(JSON.stringify(await exportJWK(privateKey)), sealingContext(kid));
    return { kid, publicJwk, privateJwkSealed, signsFrom, createdAt };
  }

  private async open({ kid, privateJwkSealed }: SigningKey): Promise<CryptoKey> {
    const jwk = JSON.parse(this.sealer.open(privateJwkSealed, sealingContext(kid))) as JWK;
    return (await importJWK(jwk, SIGNING_ALGORITHM)) as CryptoKey;
  }
}

const sealingContext = (kid: string): string => `signing_keys|private_jwk|${kid}`;
