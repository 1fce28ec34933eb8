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
/** The lifetime of cached keys. Much shorter than the day between the publication of a key and its first signature. */
const CACHE_TTL_MS = 60_000;

/**
 * Rotates the keys that sign access tokens, in any process. The private keys are encrypted. Each process caches the keys for a minute. A
 * key is published a day before its first signature, so all caches contain the key in time.
 */
@Injectable()
export class SigningKeysService extends WorkerLoop {
  private cached?: { readonly keys: readonly SigningKey[]; readonly at: Date };
  private privateKey?: { readonly kid: string; readonly key: CryptoKey };

  constructor(
    config: AppConfig,
    private readonly signingKeyRepository: SigningKeyRepository,
    private readonly work: UnitOfWork,
    private readonly sealer: SecretSealer,
  ) {
    super(config, 'SigningKeys', ROTATION_INTERVAL_MS);
  }

  async run(): Promise<void> {
    await this.list();
  }

  /** Returns the key that signs now. @throws SecretUnreadable if `SECRETS_KEY` can't decrypt the key */
  async current(): Promise<{ kid: string; key: CryptoKey }> {
    const current = signingAt(await this.list(), this.work.now());
    if (!current) throw new Error('There is no signing key for access tokens, although one was just created.');
    if (this.privateKey?.kid !== current.kid) this.privateKey = { kid: current.kid, key: await this.open(current) };
    return this.privateKey;
  }

  /** Returns the public keys that verify tokens now or within a day (RFC 7517). */
  async listPublicKeys(): Promise<JWK[]> {
    const keys = await this.list();
    return keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' }));
  }

  /** Returns all keys, after a rotation if one is due. */
  private async list(): Promise<readonly SigningKey[]> {
    const now = this.work.now();
    const age = this.cached ? Math.abs(now.getTime() - this.cached.at.getTime()) : Infinity;
    if (this.cached && age < CACHE_TTL_MS) return this.cached.keys;
    const ctx = systemContext(newId('request'));
    let keys = await this.signingKeyRepository.list(ctx);
    if (isDue(rotationAt(keys, now))) keys = await this.rotate(ctx, now);
    this.cached = { keys, at: now };
    return keys;
  }

  private async rotate(ctx: RequestContext, now: Date): Promise<SigningKey[]> {
    return this.work.run(ctx, async (ctx) => {
      await this.signingKeyRepository.lockRotation(ctx);
      // Another process can have rotated the keys in the meantime.
      const { createFrom, expired } = rotationAt(await this.signingKeyRepository.list(ctx), now);
      if (createFrom) await this.signingKeyRepository.insert(ctx, await this.generate(createFrom, now));
      await this.signingKeyRepository.delete(ctx, expired);
      return this.signingKeyRepository.list(ctx);
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
