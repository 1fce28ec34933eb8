import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError, type FieldProblemCode, InvalidRequest, newId, type RequestContext } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import type { SignInAuthorization } from '#directory/privileges';
import { type ImportedFactors, type ImportedFactorsHandler, ImportedFactorsPort, type LineFactors } from '#directory/users';
import type { Passkey } from '../passkeys/passkey.entity.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { isPublicKey } from '../passkeys/public-key.js';
import { WebAuthnService } from '../passkeys/web-authn.service.js';
import { totpContext } from '../sealing-contexts.js';
import { TotpFactorRepository } from '../totp/totp-factor.repository.js';

type LinePasskey = NonNullable<LineFactors['passkeys']>[number];

const DEFAULT_NAME = 'Passkey';

/** Checks and stores the authenticator apps and passkeys of imported users. */
@Injectable()
export class ImportedFactorsService implements ImportedFactorsHandler, OnModuleInit {
  constructor(
    private readonly totpFactors: TotpFactorRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly webAuthn: WebAuthnService,
    private readonly sealer: SecretSealer,
    private readonly port: ImportedFactorsPort,
  ) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  async findProblems(
    ctx: RequestContext,
    tenantId: string,
    lines: readonly LineFactors[],
  ): Promise<readonly (DomainError | undefined)[]> {
    const ids = lines.flatMap(({ passkeys = [] }) => passkeys.map(credentialIdOf));
    const registered = ids.length === 0 ? new Set<string>() : await this.passkeys.listRegistered(ctx, tenantId, ids);
    const problems: (DomainError | undefined)[] = [];
    for (const { passkeys = [] } of lines) problems.push(await this.findProblem(passkeys, registered));
    return problems;
  }

  async store(
    ctx: RequestContext,
    tenantId: string,
    factors: readonly ImportedFactors[],
    at: Date,
    signIn: SignInAuthorization,
  ): Promise<void> {
    const apps = factors.flatMap(({ userId, totpSecret }) => {
      if (totpSecret === undefined) return [];
      const seedSealed = this.sealer.seal(totpSecret, totpContext(userId));
      return [{ tenantId, userId, seedSealed, lastStep: 0, createdAt: at, lastUsedAt: null }];
    });
    const keys = factors.flatMap(({ userId, passkeys = [] }) =>
      passkeys.map((passkey): Passkey => ({ ...passkeyOf(passkey), tenantId, userId, createdAt: at })),
    );
    this.totpFactors.insertAllDeferred(ctx, apps, signIn);
    this.passkeys.insertAllDeferred(ctx, keys, signIn);
  }

  private async findProblem(passkeys: readonly LinePasskey[], registered: ReadonlySet<string>): Promise<DomainError | undefined> {
    const seen = new Set(registered);
    for (const [index, passkey] of passkeys.entries()) {
      const pointer = `/passkeys/${index}`;
      const problem = (field: string, code: FieldProblemCode, message: string) =>
        new InvalidRequest([{ pointer: `${pointer}/${field}`, in: 'body', code, message }]);
      const id = credentialIdOf(passkey);
      if (seen.has(id)) return problem('credentialId', 'passkey_registered', 'This passkey is already registered.');
      seen.add(id);
      if (passkey.rpId !== undefined && passkey.rpId !== this.webAuthn.rpId) {
        const message = `Browsers use passkeys only at the address for which they were created. This service has the RP ID "${this.webAuthn.rpId}", the host of BASE_URL.`;
        return problem('rpId', 'wrong_rp_id', message);
      }
      if (!(await isPublicKey(bytesOf(passkey.publicKey))))
        return problem(
          'publicKey',
          'invalid_public_key',
          'publicKey must be a COSE key for ES256, ES384, ES512, EdDSA or RSA in base64.',
        );
    }
    return undefined;
  }
}

/** Reads base64 and base64url. */
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64');

/** Returns the id as browsers send it. */
const credentialIdOf = ({ credentialId }: LinePasskey): string => bytesOf(credentialId).toString('base64url');

const passkeyOf = (passkey: LinePasskey): Omit<Passkey, 'tenantId' | 'userId' | 'createdAt'> => ({
  id: newId('passkey'),
  credentialId: credentialIdOf(passkey),
  publicKey: bytesOf(passkey.publicKey),
  counter: passkey.counter ?? 0,
  transports: [...(passkey.transports ?? [])],
  backedUp: passkey.backedUp ?? false,
  name: passkey.name ?? DEFAULT_NAME,
  imported: true,
  lastUsedAt: null,
});
