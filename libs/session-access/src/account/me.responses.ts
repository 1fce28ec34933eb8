import { ApiProperty } from '@nestjs/swagger';
import { recentUntil, type RequestSession } from '#common';
import { UserOrganizationResponse, UserResponse, UserRoleSummaryResponse } from '#users';
import { SESSION_ID } from '../sessions/session.responses.js';

const TIME = { format: 'date-time', example: '2026-01-15T09:00:00.000Z' };

/** An organization that the signed-in user belongs to. */
export class MyOrganizationResponse extends UserOrganizationResponse {
  @ApiProperty({ example: 'acme' }) slug!: string;

  @ApiProperty({ description: 'All roles there.', type: [UserRoleSummaryResponse] })
  roles!: UserRoleSummaryResponse[];

  @ApiProperty({
    description: 'What the user may do there: what its roles there and in the organizations above give.',
    type: [String],
    example: ['organizations:read', 'members:read'],
  })
  permissions!: string[];
}

/** The session that asks. */
export class CurrentSessionResponse {
  @ApiProperty({ example: SESSION_ID }) id!: string;
  @ApiProperty({ description: 'The organization that was signed in to.', example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' })
  organizationId!: string;
  @ApiProperty({ description: 'How the user proved who they are.', type: [String], example: ['password', 'totp'] })
  authenticationMethods!: string[];
  @ApiProperty({ description: 'Whether the session may do nothing but add a second factor.', example: false })
  mfaEnrolmentRequired!: boolean;
  @ApiProperty(TIME) createdAt!: string;
  @ApiProperty({ ...TIME, description: 'When you signed in, or last proved again who you are.' }) authenticatedAt!: string;
  @ApiProperty({ ...TIME, description: 'Until when sensitive operations take that proof (`POST /v1/auth/reauthentication`).' })
  recentUntil!: string;
  @ApiProperty({ ...TIME, description: 'The end, whatever the activity.', example: '2026-02-14T09:00:00.000Z' })
  expiresAt!: string;

  static from({
    id,
    organizationId,
    authenticationMethods,
    enrolmentOnly,
    createdAt,
    authenticatedAt,
    expiresAt,
  }: RequestSession): CurrentSessionResponse {
    return {
      id,
      organizationId,
      authenticationMethods: [...authenticationMethods],
      mfaEnrolmentRequired: enrolmentOnly,
      createdAt: createdAt.toISOString(),
      authenticatedAt: authenticatedAt.toISOString(),
      recentUntil: recentUntil(authenticatedAt).toISOString(),
      expiresAt: expiresAt.toISOString(),
    };
  }
}

/** The signed-in user. `roles` are those in the managing organization. */
export class MeResponse extends UserResponse {
  @ApiProperty({ description: 'Where the user belongs.', type: [MyOrganizationResponse] })
  declare organizations: MyOrganizationResponse[];

  @ApiProperty({ type: CurrentSessionResponse }) session!: CurrentSessionResponse;
}
