import { ApiProperty } from '@nestjs/swagger';
import { recentUntil } from '#common';
import { MFA_METHOD_NAMES } from '../mfa-method.js';
import type { ReauthenticationOffer } from './reauthentication.service.js';

const TIME = { type: 'string', format: 'date-time', example: '2026-01-31T12:00:00.000Z' } as const;

/** How the user can prove who they are. */
export class ReauthenticationResponse {
  @ApiProperty({
    enum: ['second_factor', 'password', 'sign_in'],
    description:
      '`second_factor`: prove one of the `methods`. `password`: send your password. `sign_in`: the account has neither; sign in again.',
    example: 'second_factor',
  })
  kind!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'With `second_factor`: names the challenge; shown once. `POST /v1/auth/mfa/challenge` takes it, too.',
    example: 'dGhpcyBpcyBhIGNoYWxsZW5nZSwgbm90IGEgc2Vzc2k',
  })
  challengeToken!: string | null;

  @ApiProperty({
    isArray: true,
    enum: MFA_METHOD_NAMES,
    description: 'With `second_factor`: what can be proven, the strongest first.',
    example: ['passkey', 'totp'],
  })
  methods!: readonly string[];

  @ApiProperty({ ...TIME, nullable: true, description: 'With `second_factor`: when the challenge ends.' })
  expiresAt!: string | null;

  static from(offer: ReauthenticationOffer): ReauthenticationResponse {
    if (offer.kind !== 'second_factor') return { kind: offer.kind, challengeToken: null, methods: [], expiresAt: null };
    const { challengeToken, methods, expiresAt } = offer.challenge;
    return { kind: offer.kind, challengeToken, methods, expiresAt: expiresAt.toISOString() };
  }
}

/** A proof that was accepted. */
export class ReauthenticatedResponse {
  @ApiProperty({ ...TIME, description: 'When you proved who you are.' }) authenticatedAt!: string;
  @ApiProperty({ ...TIME, description: 'Until when sensitive operations take this proof.' }) recentUntil!: string;

  static from(authenticatedAt: Date): ReauthenticatedResponse {
    return { authenticatedAt: authenticatedAt.toISOString(), recentUntil: recentUntil(authenticatedAt).toISOString() };
  }
}
