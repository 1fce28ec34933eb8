import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Session } from '#directory/sessions';
import type { User } from '#directory/users';
import type { SignInOutcome } from './sign-in-outcome.js';

const TIME = { format: 'date-time', example: '2026-01-15T09:00:00.000Z' };

export class SignedInSessionResponse {
  @ApiProperty({ example: 'ses_01kf2bf6qhe2m7p4x9c1v8b3zt' }) id!: string;
  @ApiProperty({ description: 'Id of the organization that the user signed in to.', example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' })
  organizationId!: string;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty({
    ...TIME,
    description:
      'Latest time at which the session expires. Without activity, the session expires earlier, after the time in the setting `sessionTimeout`.',
  })
  expiresAt!: string;
  @ApiProperty({ type: [String], description: 'Methods with which the user authenticated.', example: ['password', 'totp'] })
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

/** The result of a step of a sign-in: a session, or an MFA challenge. */
export class SignInResponse {
  @ApiProperty({ description: 'Whether an MFA factor must be verified before the session opens.', example: false })
  mfaRequired!: boolean;

  @ApiPropertyOptional({
    description:
      'Whether the session can only be used to add an MFA factor, get the signed-in user and sign out. True if the organization requires MFA and the user did not sign in with an MFA method that the organization allows.',
    example: false,
  })
  mfaEnrolmentRequired?: boolean;

  @ApiPropertyOptional({
    description:
      'Token of the session, for `Authorization: Bearer <token>`. Shown only once. Absent if the token is in the session cookie.',
    example: 'Zm9yIGV4YW1wbGUgb25seSwgdGhpcyBvcGVucyBub3Q',
  })
  sessionToken?: string;

  @ApiPropertyOptional({ type: SignedInSessionResponse }) session?: SignedInSessionResponse;
  @ApiPropertyOptional({ type: SignedInUserResponse }) user?: SignedInUserResponse;

  @ApiPropertyOptional({
    description: 'Token of the MFA challenge. Present only if `mfaRequired` is true.',
    example: 'dGhpcyBpcyBhIGNoYWxsZW5nZSwgbm90IGEgc2Vzc2k',
  })
  challengeToken?: string;

  @ApiPropertyOptional({
    type: [String],
    description: 'Methods that can complete the challenge.',
    example: ['totp', 'recovery_code'],
  })
  methods?: string[];

  @ApiPropertyOptional({ ...TIME, description: 'Time at which the challenge expires.' }) challengeExpiresAt?: string;

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
