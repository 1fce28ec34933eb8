import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { AddedFactor } from '../factors/factor-addition.service.js';
import type { Passkey } from '../passkeys/passkey.repository.js';
import type { TotpSetUp } from '../totp/totp-enrolment.service.js';

const TIME = { format: 'date-time', example: '2026-01-31T12:00:00.000Z' } as const;
const METHODS = ['totp', 'sms', 'email', 'passkey'] as const;
const METHOD = { enum: METHODS, example: 'totp' } as const;
const RESTRICTED = {
  description: 'Codes that are sent can be intercepted: a restricted method is better than none and worse than the others.',
  example: false,
} as const;

/** A factor that the user has. */
export class FactorResponse {
  @ApiProperty(METHOD) method!: string;
  @ApiPropertyOptional({ description: 'Where codes are sent, masked.', example: 'a•••@example.com' }) destination?: string;
  @ApiPropertyOptional({ description: 'Of a passkey.', example: 'pky_01kf2b8v3cf5h9r4n0j7d2q6xw' }) id?: string;
  @ApiPropertyOptional({ description: 'Of a passkey.', example: "Ada's telephone" }) name?: string;
  @ApiProperty(RESTRICTED) restricted!: boolean;
  @ApiProperty({ description: 'Whether the organization that you signed in to allows it.', example: true }) allowed!: boolean;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty({ ...TIME, type: 'string', nullable: true }) lastUsedAt!: string | null;
}

/** A kind of factor that can be added. */
export class AvailableMethodResponse {
  @ApiProperty(METHOD) method!: string;
  @ApiProperty(RESTRICTED) restricted!: boolean;
}

/** The user's second factors. */
export class OwnMfaResponse {
  @ApiProperty({ description: 'Whether signing in asks for a second factor.', example: true }) enabled!: boolean;
  @ApiProperty({ description: 'Whether the organization that you signed in to requires one.', example: false })
  required!: boolean;
  @ApiProperty({ type: [FactorResponse] }) factors!: FactorResponse[];
  @ApiProperty({
    description:
      'What can be added now. Restricted methods appear once there is a stronger factor, where the organization allows one.',
    type: [AvailableMethodResponse],
  })
  available!: AvailableMethodResponse[];
  @ApiProperty({ type: 'integer', description: 'How many recovery codes are left.', example: 10 }) recoveryCodesLeft!: number;
}

/** What an authenticator app is set up with. */
export class TotpSetUpResponse {
  @ApiProperty({ description: 'For typing in, base32. Shown this once.', example: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' })
  secret!: string;
  @ApiProperty({
    description: 'For a QR code.',
    example:
      'otpauth://totp/Acme:ada%40example.com?issuer=Acme&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
  })
  uri!: string;
  @ApiProperty({ ...TIME, description: 'Until when it can be confirmed.' }) expiresAt!: string;

  static from({ secret, uri, expiresAt }: TotpSetUp): TotpSetUpResponse {
    return { secret, uri, expiresAt: expiresAt.toISOString() };
  }
}

/** A code that is on its way. */
export class SentCodeResponse {
  @ApiProperty({ description: 'Where it was sent, masked.', example: 'a•••@example.com' }) destination!: string;
  @ApiProperty({ ...TIME, description: 'Until when it can be used.' }) expiresAt!: string;
}

const RECOVERY_CODES = {
  type: 'array',
  items: { type: 'string' },
  example: ['7k3m-9q0z-b2xd', '4f8s-t1w6-y5ra'],
} as const;

/** A factor was added. */
export class AddedFactorResponse {
  @ApiProperty(METHOD) method!: string;
  @ApiPropertyOptional({
    ...RECOVERY_CODES,
    description: 'With the first factor: ten codes that stand in for it, each once. Shown this once.',
  })
  recoveryCodes?: readonly string[];
  @ApiPropertyOptional({
    description:
      "The session's new token, where it was made without a second factor; the old one ended. Shown this once; absent where it went into the session cookie.",
    example: 'kq3dV0xZ7m1cT5y9bR2sW8fL4hN6pJ0aGuEiOtXvYzM',
  })
  sessionToken?: string;

  static from(method: string, { recoveryCodes, sessionToken }: AddedFactor): AddedFactorResponse {
    return { method, ...(recoveryCodes ? { recoveryCodes } : {}), ...(sessionToken ? { sessionToken } : {}) };
  }
}

export class PasskeyResponse {
  @ApiProperty({ example: 'pky_01kf2b8v3cf5h9r4n0j7d2q6xw' }) id!: string;
  @ApiProperty({ example: "Ada's telephone" }) name!: string;
  @ApiProperty({ description: 'Whether it is kept on several devices.', example: true }) backedUp!: boolean;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty({ ...TIME, type: 'string', nullable: true }) lastUsedAt!: string | null;

  static from({ id, name, backedUp, createdAt, lastUsedAt }: Passkey): PasskeyResponse {
    return { id, name, backedUp, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
  }
}

export class AddedPasskeyResponse extends AddedFactorResponse {
  @ApiProperty({ type: PasskeyResponse }) passkey!: PasskeyResponse;
}

/** What a browser needs to make a passkey. */
export class PasskeyCreationResponse {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON()`; to be answered within five minutes.',
    example: { challenge: 'kq3dV0xZ7m1cT5y9bR2sW8fL4hN6pJ0aGuEiOtXvYzM', rp: { name: 'Acme', id: 'iam.example.com' } },
  })
  publicKey!: object;
}

export class RecoveryCodesResponse {
  @ApiProperty({ ...RECOVERY_CODES, description: 'Ten codes, each of which works once. Shown this once.' })
  recoveryCodes!: readonly string[];
}
