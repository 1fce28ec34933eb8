import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Session } from '#sessions';
import type { User } from '#users';
import type { SignInOutcome } from './sign-in-outcome.js';

const TIME = { format: 'date-time', example: '2026-01-15T09:00:00.000Z' };

export class SignedInSessionResponse {
  @ApiProperty({ example: 'ses_01kf2bf6qhe2m7p4x9c1v8b3zt' }) id!: string;
  @ApiProperty({ description: 'The organization that was signed in to.', example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' })
  organizationId!: string;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty({
    ...TIME,
    description: "The end at the latest. Without use the session ends after the organization's `sessionTimeout`.",
  })
  expiresAt!: string;
  @ApiProperty({ type: [String], description: 'How the user proved who they are.', example: ['password', 'totp'] })
  authenticationMethods!: string[];

  static from({ id, organizationId, createdAt, expiresAt, authenticationMethods }: Session): SignedInSessionResponse {
    return {
      id,
      organizationId,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      authenticationMethods: [...authenticationMethods],
    };
  }
}

export class SignedInUserResponse {
  @ApiProperty({ example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) id!: string;
  @ApiProperty({ format: 'email', example: 'ada@example.com' }) email!: string;
  @ApiProperty() emailVerified!: boolean;
  @ApiPropertyOptional({ example: 'Ada' }) firstName?: string;
  @ApiPropertyOptional({ example: 'Lovelace' }) lastName?: string;
  @ApiPropertyOptional({ example: 'Ada Lovelace' }) displayName?: string;

  static from({ id, email, emailVerified, firstName, lastName, displayName }: User): SignedInUserResponse {
    return {
      id,
      email,
      emailVerified,
      ...(firstName === null ? {} : { firstName }),
      ...(lastName === null ? {} : { lastName }),
      ...(displayName === null ? {} : { displayName }),
    };
  }
}

/** What comes of a step of signing in: a session, or what is still to be proven. */
export class SignInResponse {
  @ApiProperty({ description: 'A second factor has to be proven before there is a session.', example: false })
  mfaRequired!: boolean;

  @ApiPropertyOptional({
    description: 'With a session: it can do nothing but add a second factor, which the organization demands.',
    example: false,
  })
  mfaEnrolmentRequired?: boolean;

  @ApiPropertyOptional({
    description:
      'Sent as `Authorization: Bearer <token>` from now on. Shown this once; absent where it went into the session cookie.',
    example: 'Zm9yIGV4YW1wbGUgb25seSwgdGhpcyBvcGVucyBub3Q',
  })
  sessionToken?: string;

  @ApiPropertyOptional({ type: SignedInSessionResponse }) session?: SignedInSessionResponse;
  @ApiPropertyOptional({ type: SignedInUserResponse }) user?: SignedInUserResponse;

  @ApiPropertyOptional({
    description: 'Names the challenge in the next step, when a second factor is required.',
    example: 'dGhpcyBpcyBhIGNoYWxsZW5nZSwgbm90IGEgc2Vzc2k',
  })
  challengeToken?: string;

  @ApiPropertyOptional({ type: [String], description: 'The second factors that will do.', example: ['totp', 'recovery_code'] })
  methods?: string[];

  @ApiPropertyOptional({ ...TIME, description: 'Until when the challenge can be met.' }) challengeExpiresAt?: string;

  static from(outcome: SignInOutcome, user: User): SignInResponse {
    if (outcome.kind === 'mfa_required') {
      const { challengeToken, methods, expiresAt } = outcome;
      return { mfaRequired: true, challengeToken, methods: [...methods], challengeExpiresAt: expiresAt.toISOString() };
    }
    return {
      mfaRequired: false,
      mfaEnrolmentRequired: outcome.mfaEnrolmentRequired,
      sessionToken: outcome.token,
      session: SignedInSessionResponse.from(outcome.session),
      user: SignedInUserResponse.from(user),
    };
  }
}
