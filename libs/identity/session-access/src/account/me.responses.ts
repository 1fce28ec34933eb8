import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { recentUntil, type RequestSession } from '#platform/common';
import { UserOrganizationResponse, UserResponse, UserRoleSummaryResponse } from '#directory/users';
import { ImpersonatorResponse } from '../sessions/impersonator.responses.js';
import { SESSION_ID } from '../sessions/session.responses.js';

const TIME = { format: 'date-time', example: '2026-01-15T09:00:00.000Z' };

export class MyOrganizationResponse extends UserOrganizationResponse {
  @ApiProperty({ description: 'Readable identifier. In paths, you can use the slug instead of the id.', example: 'acme' })
  slug!: string;

  @ApiProperty({ description: 'All roles of the user in the organization.', type: [UserRoleSummaryResponse] })
  roles!: UserRoleSummaryResponse[];

  @ApiProperty({
    description: 'Permissions of the user in the organization, from roles in the organization and its ancestors.',
    type: [String],
    example: ['organizations:read', 'members:read'],
  })
  permissions!: string[];
}

export class CurrentSessionResponse {
  @ApiProperty({ example: SESSION_ID }) id!: string;
  @ApiProperty({ description: 'Id of the organization that the user signed in to.', example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' })
  organizationId!: string;
  @ApiProperty({ description: 'Methods with which the user authenticated.', type: [String], example: ['password', 'totp'] })
  authenticationMethods!: string[];
  @ApiProperty({
    description:
      'Whether the session can only be used to add an MFA factor, get the signed-in user and sign out. True if the organization that the user signed in to, or the organization that manages the user, requires MFA and the user did not sign in with an MFA method that the organization allows.',
    example: false,
  })
  mfaEnrolmentRequired!: boolean;
  @ApiProperty({ ...TIME, description: 'Time of the sign-in.' }) createdAt!: string;
  @ApiProperty({ ...TIME, description: 'Time at which the user signed in or last confirmed their identity.' })
  authenticatedAt!: string;
  @ApiProperty({
    ...TIME,
    description:
      'Time until which sensitive operations are allowed without confirming the identity again (`POST /v1/auth/reauthentication`).',
    example: '2026-01-15T09:10:00.000Z',
  })
  recentUntil!: string;
  @ApiProperty({
    ...TIME,
    description:
      'Latest time at which the session expires. Without activity, the session expires earlier, after the time in the setting `sessionTimeout`.',
    example: '2026-02-14T09:00:00.000Z',
  })
  expiresAt!: string;
  @ApiPropertyOptional({
    description: 'The user who acts in this session for support. Absent if the user acts.',
    type: ImpersonatorResponse,
  })
  impersonator?: ImpersonatorResponse;

  static from({
    id,
    organizationId,
    authenticationMethods,
    enrolmentOnly,
    createdAt,
    authenticatedAt,
    expiresAt,
    impersonator,
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
      ...(impersonator ? { impersonator: ImpersonatorResponse.from(impersonator) } : {}),
    };
  }
}

/** The signed-in user. `roles` contains the roles of the user in the managing organization. */
export class MeResponse extends UserResponse {
  @ApiProperty({ description: 'Organizations in which the user is a member.', type: [MyOrganizationResponse] })
  declare organizations: MyOrganizationResponse[];

  @ApiProperty({ type: CurrentSessionResponse }) session!: CurrentSessionResponse;
}
