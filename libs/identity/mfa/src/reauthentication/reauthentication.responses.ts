import { ApiProperty } from '@nestjs/swagger';
import { recentUntil } from '#platform/common';
import { MFA_METHOD_NAMES } from '../mfa-method.js';
import type { ReauthenticationOffer } from './reauthentication.service.js';

const TIME = { type: 'string', format: 'date-time', example: '2026-01-31T12:00:00.000Z' } as const;

export class ReauthenticationResponse {
  @ApiProperty({
    enum: ['second_factor', 'password', 'sign_in'],
    description:
      'How you can confirm your identity. `second_factor`: use one of the `methods`. `password`: send your password. `sign_in`: sign in again, because your account has no MFA factor and no password.',
    example: 'second_factor',
  })
  kind!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'Token of the challenge. Send it to `POST /v1/auth/reauthentication/second-factor`. To receive a code or the options for a passkey, first send it to `POST /v1/auth/mfa/challenge`. Shown only once. Null unless `kind` is `second_factor`.',
    example: 'dGhpcyBpcyBhIGNoYWxsZW5nZSwgbm90IGEgc2Vzc2k',
  })
  challengeToken!: string | null;

  @ApiProperty({
    isArray: true,
    enum: MFA_METHOD_NAMES,
    description: 'Methods that you can use, strongest first. Empty unless `kind` is `second_factor`.',
    example: ['passkey', 'totp'],
  })
  methods!: readonly string[];

  @ApiProperty({
    ...TIME,
    nullable: true,
    description: 'Time at which the challenge expires. Null unless `kind` is `second_factor`.',
  })
  expiresAt!: string | null;

  static from(offer: ReauthenticationOffer): ReauthenticationResponse {
    if (offer.kind !== 'second_factor') return { kind: offer.kind, challengeToken: null, methods: [], expiresAt: null };
    const { challengeToken, methods, expiresAt } = offer.challenge;
    return { kind: offer.kind, challengeToken, methods, expiresAt: expiresAt.toISOString() };
  }
}

export class ReauthenticatedResponse {
  @ApiProperty({ ...TIME, description: 'Time at which you confirmed your identity.' }) authenticatedAt!: string;
  @ApiProperty({ ...TIME, description: 'Time until which sensitive operations accept this confirmation.' }) recentUntil!: string;

  static from(authenticatedAt: Date): ReauthenticatedResponse {
    return { authenticatedAt: authenticatedAt.toISOString(), recentUntil: recentUntil(authenticatedAt).toISOString() };
  }
}
