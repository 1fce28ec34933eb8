import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ExactTextField, TextField } from '#http';
import { SESSION_ID } from '../sessions/session.responses.js';

export class VerifySessionRequest {
  @ExactTextField({
    description: 'The session token that your service was sent.',
    maxLength: 4_096,
    required: true,
    example: 'p2vVdG9rZW4gb2YgYSBzZXNzaW9uIGFzIHNpZ24taW4',
  })
  token!: string;

  @TextField({
    description: 'The organization that it is about, by its id or slug: the answer then says what the user may do there.',
    maxLength: 63,
    example: 'acme',
  })
  organization?: string;
}

/** What a session token is worth (after RFC 7662). All but `active` is absent when it is worth nothing to this caller. */
export class VerifiedSessionResponse {
  @ApiProperty({ description: 'Whether the token belongs to a session that works, of a user whom the caller may see.' })
  active!: boolean;

  @ApiPropertyOptional({ example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' }) userId?: string;
  @ApiPropertyOptional({ example: SESSION_ID }) sessionId?: string;

  @ApiPropertyOptional({
    description: 'The organization that was signed in to; absent when it lies out of reach.',
    example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  })
  organizationId?: string;

  @ApiPropertyOptional({ description: 'How the user proved who they are.', type: [String], example: ['password', 'totp'] })
  authenticationMethods?: string[];

  @ApiPropertyOptional({ format: 'date-time', example: '2026-01-15T09:00:00.000Z', description: 'When the user signed in.' })
  createdAt?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    example: '2026-02-14T09:00:00.000Z',
    description: 'The end of the session, whatever the activity.',
  })
  expiresAt?: string;

  @ApiPropertyOptional({
    description: 'What the user may do in the `organization` asked about, your own permissions included.',
    type: [String],
    example: ['organizations:read', 'invoices:read'],
  })
  permissions?: string[];
}
