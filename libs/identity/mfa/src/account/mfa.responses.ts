import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { AddedFactor } from '../factors/factor-changes.service.js';
import type { Passkey } from '../passkeys/passkey.entity.js';
import type { TotpSetUp } from '../enrolment/factor-enrolment.service.js';

const TIME = { format: 'date-time', example: '2026-01-31T12:00:00.000Z' } as const;
const METHODS = ['totp', 'sms', 'email', 'passkey'] as const;
const METHOD = { enum: METHODS, example: 'totp' } as const;
const RESTRICTED = {
  description: 'Whether the method is weaker than other methods. True for email and SMS codes, which can be intercepted.',
  example: false,
} as const;

export class FactorResponse {
  @ApiProperty(METHOD) method!: string;
  @ApiPropertyOptional({
    description: 'Masked email address or phone number that codes are sent to.',
    example: 'a•••@example.com',
  })
  destination?: string;
  @ApiPropertyOptional({ description: 'Id of the passkey. Only for passkeys.', example: 'pky_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  id?: string;
  @ApiPropertyOptional({ description: 'Name of the passkey. Only for passkeys.', example: "Ada's phone" }) name?: string;
  @ApiProperty(RESTRICTED) restricted!: boolean;
  @ApiProperty({ description: 'Whether the organization that you signed in to allows this method.', example: true })
  allowed!: boolean;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty({ ...TIME, description: 'Time of the last use. Null if it was never used.', type: 'string', nullable: true })
  lastUsedAt!: string | null;
}

export class AvailableMethodResponse {
  @ApiProperty(METHOD) method!: string;
  @ApiProperty(RESTRICTED) restricted!: boolean;
}

export class OwnMfaResponse {
  @ApiProperty({ description: 'Whether sign-in asks for an MFA factor.', example: true }) enabled!: boolean;
  @ApiProperty({ description: 'Whether the organization that you signed in to requires MFA.', example: false })
  required!: boolean;
  @ApiProperty({ type: [FactorResponse] }) factors!: FactorResponse[];
  @ApiProperty({
    description:
      'Methods that you can add now. Email and SMS codes are included only if you have a stronger factor, or if the organization allows no stronger method.',
    type: [AvailableMethodResponse],
  })
  available!: AvailableMethodResponse[];
  @ApiProperty({ type: 'integer', description: 'Number of unused recovery codes.', example: 10 }) recoveryCodesLeft!: number;
}

export class TotpSetUpResponse {
  @ApiProperty({
    description: 'Secret for manual entry, in base32. Shown only once.',
    example: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  })
  secret!: string;
  @ApiProperty({
    description: 'Content of the QR code.',
    example:
      'otpauth://totp/Acme:ada%40example.com?issuer=Acme&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
  })
  uri!: string;
  @ApiProperty({
    ...TIME,
    description: 'Time until which you can confirm the authenticator app with a code (`POST /v1/auth/mfa/totp/confirm`).',
  })
  expiresAt!: string;

  static from({ secret, uri, expiresAt }: TotpSetUp): TotpSetUpResponse {
    return { secret, uri, expiresAt: expiresAt.toISOString() };
  }
}

export class SentCodeResponse {
  @ApiProperty({ description: 'Masked email address or phone number that the code was sent to.', example: 'a•••@example.com' })
  destination!: string;
  @ApiProperty({ ...TIME, description: 'Time at which the code expires.' }) expiresAt!: string;
}

const RECOVERY_CODES = {
  type: 'array',
  items: { type: 'string' },
  example: ['7k3m-9q0z-b2xd', '4f8s-t1w6-y5ra'],
} as const;

export class AddedFactorResponse {
  @ApiProperty(METHOD) method!: string;
  @ApiPropertyOptional({
    ...RECOVERY_CODES,
    description:
      'Ten recovery codes. Each code can be used once in place of a factor. Present only if this is your first factor. Shown only once.',
  })
  recoveryCodes?: readonly string[];
  @ApiPropertyOptional({
    description:
      'New token of the session. Present only if the session was opened without an MFA factor that the organization allows. The previous token no longer works. Shown only once. Absent if the token is in the session cookie.',
    example: 'kq3dV0xZ7m1cT5y9bR2sW8fL4hN6pJ0aGuEiOtXvYzM',
  })
  sessionToken?: string;

  static from(method: string, { recoveryCodes, sessionToken }: AddedFactor): AddedFactorResponse {
    return { method, ...(recoveryCodes ? { recoveryCodes } : {}), ...(sessionToken ? { sessionToken } : {}) };
  }
}

export class PasskeyResponse {
  @ApiProperty({ example: 'pky_01kf2b8v3cf5h9r4n0j7d2q6xw' }) id!: string;
  @ApiProperty({ example: "Ada's phone" }) name!: string;
  @ApiProperty({ description: 'Whether the passkey is backed up, for example synced between devices.', example: true })
  backedUp!: boolean;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty({ ...TIME, description: 'Time of the last use. Null if it was never used.', type: 'string', nullable: true })
  lastUsedAt!: string | null;

  static from({ id, name, backedUp, createdAt, lastUsedAt }: Passkey): PasskeyResponse {
    return { id, name, backedUp, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
  }
}

export class AddedPasskeyResponse extends AddedFactorResponse {
  @ApiProperty({ type: PasskeyResponse }) passkey!: PasskeyResponse;
}

export class PasskeyCreationResponse {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Options for `PublicKeyCredential.parseCreationOptionsFromJSON()`. They expire after 5 minutes.',
    example: { challenge: 'kq3dV0xZ7m1cT5y9bR2sW8fL4hN6pJ0aGuEiOtXvYzM', rp: { name: 'Acme', id: 'iam.example.com' } },
  })
  publicKey!: object;
}

export class RecoveryCodesResponse {
  @ApiProperty({ ...RECOVERY_CODES, description: 'Ten recovery codes. Each code works once. Shown only once.' })
  recoveryCodes!: readonly string[];
}
