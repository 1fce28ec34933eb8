import { Injectable } from '@nestjs/common';
import { Clock, PLATFORM_TENANT, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { constantTimeEqual, hashToken } from '#platform/crypto';
import { isUniqueViolation } from '#platform/database';
import { type DpopRequest, InvalidDpopProof } from '#identity/auth';
import { calculateJwkThumbprint, EmbeddedJWK, type JWTPayload, jwtVerify } from 'jose';
import { OAuthArtifactQuery } from './oauth-artifact.query.js';

export const DPOP_ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519'];

/** The time by which the clock of a client can differ. */
const TOLERANCE_SECONDS = 60;

/** For so long, a used proof must be remembered. */
export const PROOF_SECONDS = 2 * TOLERANCE_SECONDS;
const MAX_JTI_LENGTH = 256;

/** What a valid proof says. */
interface DpopProof {
  /** The thumbprint of the key that signed it. */
  readonly key: string;
  /** The hash of the access token for which it is. */
  readonly tokenHash: unknown;
  readonly id: string;
}

/** Checks the proofs of clients that they have the key to which an access token is bound (RFC 9449). */
@Injectable()
export class DpopProofsService {
  constructor(
    private readonly artifacts: OAuthArtifactQuery,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Checks the proof of a request with an access token that is bound to the key with this thumbprint. @throws InvalidDpopProof (401) */
  async check(ctx: RequestContext, token: string, thumbprint: string, request: DpopRequest): Promise<void> {
    const { key, tokenHash, id } = await this.read(request);
    if (typeof tokenHash !== 'string' || !constantTimeEqual(tokenHash, hashToken(token).toString('base64url')))
      throw new InvalidDpopProof('It is for another access token (ath).');
    if (key !== thumbprint)
      throw new InvalidDpopProof('It is signed with another key than the one to which the access token is bound.');
    await this.useOnce(ctx, `dpop:${key}:${id}`);
  }

  /** Reads the proof of a request. The caller must see to it that it is used once. @throws InvalidDpopProof (401) */
  async read({ proof, method, path }: DpopRequest): Promise<DpopProof> {
    if (proof === undefined) throw new InvalidDpopProof('The header DPoP is missing, or is there twice.');
    const { payload, protectedHeader } = await this.verify(proof);
    const { htm, htu, ath, jti, iat } = payload;
    const isRecent = Math.abs(this.clock.now().getTime() / 1_000 - (iat ?? 0)) <= TOLERANCE_SECONDS;
    if (!isRecent) throw new InvalidDpopProof(`Its time (iat) must be at most ${TOLERANCE_SECONDS} seconds from now.`);
    if (htm !== method) throw new InvalidDpopProof('It is for another method (htm).');
    if (withoutQuery(htu) !== new URL(this.config.baseUrl + path).href)
      throw new InvalidDpopProof('It is for another address (htu).');
    if (!protectedHeader.jwk) throw new InvalidDpopProof('Its header has no key (jwk).');
    if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_LENGTH)
      throw new InvalidDpopProof(`It needs an id (jti) of at most ${MAX_JTI_LENGTH} characters.`);
    return { key: await calculateJwkThumbprint(protectedHeader.jwk), tokenHash: ath, id: jti };
  }

  private async verify(proof: string): Promise<Awaited<ReturnType<typeof jwtVerify>> & { payload: ProofClaims }> {
    try {
      return await jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt', algorithms: DPOP_ALGORITHMS, currentDate: this.clock.now() });
    } catch {
      throw new InvalidDpopProof('It is no JWT of the type dpop+jwt that is signed with the key in its header.');
    }
  }

  /** Of several requests with the same proof, also to other processes, only one succeeds. */
  private async useOnce(ctx: RequestContext, id: string): Promise<void> {
    const expiresAt = new Date(this.clock.now().getTime() + PROOF_SECONDS * 1_000);
    const used = { kind: 'ReplayDetection', id, tenantId: PLATFORM_TENANT, payload: {}, signInId: null, expiresAt } as const;
    await this.artifacts.insert(ctx, used).catch((error: unknown) => {
      throw isUniqueViolation(error, 'oauth_artifacts_pkey') ? new InvalidDpopProof('It was already used (jti).') : error;
    });
  }
}

interface ProofClaims extends JWTPayload {
  readonly htm?: unknown;
  readonly htu?: unknown;
  readonly ath?: unknown;
}

function withoutQuery(address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  return Object.assign(new URL(address), { search: '', hash: '' }).href;
}
