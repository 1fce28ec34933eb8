import { Injectable } from '@nestjs/common';
import { newId, type RequestContext, systemContext, WorkerLoop } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { SecretSealer } from '#platform/crypto';
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { SigningAlgorithm, SigningKey } from './signing-key.entity.js';
import { isDue, rotationAt, SIGNING_ALGORITHM, signingAt } from './signing-key-rotation.js';
import { SigningKeyRepository } from './signing-key.repository.js';

const ROTATION_INTERVAL_MS = 3_600_000;
/** The lifetime of cached keys. Much shorter than the day between the publication of a key and its first signature. */
const CACHE_TTL_MS = 60_000;

const ALGORITHMS: readonly SigningAlgorithm[] = [SIGNING_ALGORITHM, 'RS256'];

export type { SigningAlgorithm };

/** A key pair. Reads the private key only when it is needed. */
export interface SigningKeyPair {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  /** @throws SecretUnreadable if `SECRETS_KEY` can't decrypt the key */
  readonly privateJwk: () => JWK;
}

/**
 * Rotates the keys that sign access tokens, in any process. The private keys are encrypted. Each process caches the keys for a minute. A
 * key is published a day before its first signature, so all caches contain the key in time.
 */
@Injectable()
export class SigningKeysService extends WorkerLoop {
  private cached?: { readonly keys: readonly SigningKey[]; readonly at: Date };
  /** The algorithms whose keys exist. */
  private algorithms: readonly SigningAlgorithm[] = [SIGNING_ALGORITHM];
  /** The private key of each algorithm that signed last. */
  private readonly privateKeys = new Map<SigningAlgorithm, { readonly kid: string; readonly key: CryptoKey }>();

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

  /**
   * Returns the key of an algorithm that signs now. The first call for RS256 creates its key.
   * @throws SecretUnreadable if `SECRETS_KEY` can't decrypt the key
   */
  async current(algorithm: SigningAlgorithm = SIGNING_ALGORITHM): Promise<{ kid: string; key: CryptoKey }> {
    if (!this.algorithms.includes(algorithm)) this.algorithms = ALGORITHMS;
    const current = signingAt(keysOf(await this.list(), algorithm), this.work.now());
    if (!current) throw new Error(`There is no signing key for ${algorithm}, although one was just created.`);
    const known = this.privateKeys.get(algorithm);
    if (known?.kid === current.kid) return known;
    const opened = { kid: current.kid, key: (await importJWK(this.openJwk(current), algorithm)) as CryptoKey };
    this.privateKeys.set(algorithm, opened);
    return opened;
  }

  /**
   * Returns the key pairs of all algorithms. For each algorithm, the key that signs now comes first. The first call creates the RS256 key,
   * which a service without OAuth clients never needs.
   */
  async listPairs(): Promise<SigningKeyPair[]> {
    this.algorithms = ALGORITHMS;
    const keys = await this.list();
    const now = this.work.now();
    return ALGORITHMS.flatMap((algorithm) => {
      const ofAlgorithm = keysOf(keys, algorithm);
      const current = signingAt(ofAlgorithm, now);
      return ofAlgorithm.toSorted((a, b) => Number(b === current) - Number(a === current));
    }).map((key) => ({ kid: key.kid, algorithm: key.algorithm, privateJwk: () => this.openJwk(key) }));
  }

  /** Returns the public keys that verify tokens now or within a day (RFC 7517). */
  async listPublicKeys(): Promise<JWK[]> {
    const keys = await this.list();
    return keys.map(({ kid, publicJwk, algorithm }) => ({ ...publicJwk, kid, alg: algorithm, use: 'sig' }));
  }

  /** Returns all keys, after a rotation if one is due. */
  private async list(): Promise<readonly SigningKey[]> {
    const now = this.work.now();
    const age = this.cached ? Math.abs(now.getTime() - this.cached.at.getTime()) : Infinity;
    const isComplete = this.cached && this.algorithms.every((algorithm) => keysOf(this.cached!.keys, algorithm).length > 0);
    if (this.cached && isComplete && age < CACHE_TTL_MS) return this.cached.keys;
    const ctx = systemContext(newId('request'));
    let keys = await this.signingKeyRepository.list(ctx);
    for (const algorithm of this.algorithms)
      if (isDue(rotationAt(keysOf(keys, algorithm), now))) keys = await this.rotate(ctx, algorithm, now);
    this.cached = { keys, at: now };
    return keys;
  }

  private async rotate(ctx: RequestContext, algorithm: SigningAlgorithm, now: Date): Promise<SigningKey[]> {
    return this.work.run(ctx, async (ctx) => {
      await this.signingKeyRepository.lockRotation(ctx);
      // Another process can have rotated the keys in the meantime.
      const { createFrom, expired } = rotationAt(keysOf(await this.signingKeyRepository.list(ctx), algorithm), now);
      if (createFrom) await this.signingKeyRepository.insert(ctx, await this.generate(algorithm, createFrom, now));
      await this.signingKeyRepository.delete(ctx, expired);
      return this.signingKeyRepository.list(ctx);
    });
  }

  private async generate(algorithm: SigningAlgorithm, signsFrom: Date, createdAt: Date): Promise<SigningKey> {
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const publicJwk = await exportJWK(publicKey);
    const kid = await calculateJwkThumbprint(publicJwk);
    const privateJwkSealed = this.sealer.seal(JSON.stringify(await exportJWK(privateKey)), sealingContext(kid));
    return { kid, algorithm, publicJwk, privateJwkSealed, signsFrom, createdAt };
  }

  private openJwk({ kid, privateJwkSealed }: SigningKey): JWK {
    return JSON.parse(this.sealer.open(privateJwkSealed, sealingContext(kid))) as JWK;
  }
}

const keysOf = (keys: readonly SigningKey[], algorithm: SigningAlgorithm): SigningKey[] =>
  keys.filter((key) => key.algorithm === algorithm);

const sealingContext = (kid: string): string => `signing_keys|private_jwk|${kid}`;
