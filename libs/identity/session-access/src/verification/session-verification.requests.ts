import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ExactTextField, TextField } from '#platform/http';
import { ImpersonatorResponse } from '../sessions/impersonator.responses.js';
import { SESSION_ID } from '../sessions/session.responses.js';

export class VerifySessionRequest {
  @ExactTextField({
    description: 'Session token that a client sent to your service.',
    maxLength: 4_096,
    required: true,
    example: 'Zr8nQ1uXk5TtVb3yGm0sLd7pCwHf2JaEo9RiNqKx6Ys',
  })
  token!: string;

  @TextField({
    description:
      'Id or slug of an organization. If it is set, the response contains the permissions of the user in this organization.',
    maxLength: 63,
    example: 'acme',
  })
  organization?: string;
}

/** The result of a verification, similar to RFC 7662. If `active` is false, the result contains no other field. */
export class VerifiedSessionResponse {
  @ApiProperty({
    description:
      'Whether the token belongs to an active session of a user whom the caller has access to. If false, all other fields are absent.',
  })
  active!: boolean;

  @ApiPropertyOptional({ example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) userId?: string;
  @ApiPropertyOptional({ example: SESSION_ID }) sessionId?: string;

  @ApiPropertyOptional({
    description:
      'Id of the organization that the user signed in to. Absent if the user has no role in it, or if the caller does not have access to it.',
    example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  })
  organizationId?: string;

  @ApiPropertyOptional({
    description: 'The user who acts in this session for support. Absent if the user acts. Show it in your application.',
    type: ImpersonatorResponse,
  })
  impersonator?: ImpersonatorResponse;

  @ApiPropertyOptional({
    description:
      'Methods with which the user authenticated. In the session of an impersonator: with which the impersonator authenticated.',
    type: [String],
    example: ['password', 'totp'],
  })
  authenticationMethods?: string[];

  @ApiPropertyOptional({ format: 'date-time', example: '2026-01-15T09:00:00.000Z', description: 'Time of the sign-in.' })
  createdAt?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    example: '2026-02-14T09:00:00.000Z',
    description:
      'Latest time at which the session expires. Without activity, the session expires earlier, after the time in the setting `sessionTimeout`.',
  })
  expiresAt?: string;

  @ApiPropertyOptional({
    description:
      'Permissions of the user in the organization in the request field `organization`, including permissions of your own applications. Absent if the request does not have this field.',
    type: [String],
    example: ['organizations:read', 'invoices:read'],
  })
  permissions?: string[];
}
