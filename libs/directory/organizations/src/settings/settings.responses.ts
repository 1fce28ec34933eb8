import { ApiProperty } from '@nestjs/swagger';
import {
  APPLICATION_APPROVALS,
  type ApplicationApproval,
  IMPERSONATION_APPROVALS,
  type ImpersonationApproval,
  MFA_METHODS,
  type MfaMethod,
} from './settings.js';

export class PasswordPolicyResponse {
  @ApiProperty({ type: 'integer', description: 'Minimum length in characters.', example: 15 }) minLength!: number;
  @ApiProperty({ description: 'Whether a password must contain an uppercase letter.', example: false })
  requireUppercase!: boolean;
  @ApiProperty({ description: 'Whether a password must contain a digit.', example: false }) requireNumbers!: boolean;
  @ApiProperty({ description: 'Whether a password must contain a symbol.', example: false }) requireSymbols!: boolean;
  @ApiProperty({ type: 'integer', description: 'Number of previous passwords that users cannot reuse.', example: 0 })
  preventReuse!: number;
}

export class SettingsResponse {
  @ApiProperty({ description: 'Whether anyone can sign up.', example: false }) allowPublicSignup!: boolean;
  @ApiProperty({ description: 'Whether users must sign in with MFA.', example: false }) requireMfa!: boolean;
  @ApiProperty({
    type: 'array',
    description: 'MFA methods that users can use.',
    items: { type: 'string', enum: [...MFA_METHODS] },
    example: ['totp', 'passkey'],
  })
  mfaMethods!: MfaMethod[];
  @ApiProperty({
    description:
      'Whether the users that the organization manages can sign in only with an identity provider of the organization or an ancestor. Owners are excepted.',
    example: false,
  })
  ssoRequired!: boolean;
  @ApiProperty({ type: 'integer', description: 'Idle timeout of a session in seconds.', example: 86_400 })
  sessionTimeout!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Maximum lifetime of a session in seconds, regardless of activity.',
    example: 2_592_000,
  })
  sessionLifetime!: number;
  @ApiProperty({ type: PasswordPolicyResponse }) passwordPolicy!: PasswordPolicyResponse;
  @ApiProperty({
    type: [String],
    description: 'Email domains that users can have, in Unicode. An empty list allows all domains.',
    example: [],
  })
  allowedDomains!: string[];
  @ApiProperty({ description: 'Id of the role that new members get by default.', example: 'role_member' }) defaultRole!: string;
  @ApiProperty({ type: 'integer', description: 'Maximum lifetime of a new API key in seconds. 0 means no limit.', example: 0 })
  maxApiKeyLifetime!: number;
  @ApiProperty({
    description:
      'Whether API keys are disabled while they are flagged. An API key is flagged while its owner is suspended, is deleted, or lacks a permission of the API key.',
    example: false,
  })
  disableFlaggedApiKeys!: boolean;
  @ApiProperty({
    description:
      'Whether webhooks are disabled while they are flagged. A webhook is flagged while its owner is suspended, is deleted, or lacks the permission `events:read`.',
    example: false,
  })
  disableFlaggedWebhooks!: boolean;
  @ApiProperty({
    type: [String],
    description:
      'IP addresses and networks (CIDR) from which signed-in users can manage the organization. An empty list allows all networks.',
    example: [],
  })
  allowedNetworks!: string[];
  @ApiProperty({
    description:
      'Who must approve before somebody with the permission `users:impersonate` signs in as a user whom the organization manages. `none`: nobody. `second_person`: another user with this permission. `user`: the user.',
    enum: IMPERSONATION_APPROVALS,
    example: 'none',
  })
  impersonationApproval!: ImpersonationApproval;
  @ApiProperty({
    description: 'Language of emails and sign-in pages for users without a `locale`, as a BCP 47 tag.',
    example: 'en',
  })
  defaultLocale!: string;
  @ApiProperty({
    description:
      'Which applications users can use that neither the organization nor an ancestor created, and that users must consent to. `anyone`: all. `approved`: only applications that an owner of the organization or an ancestor approved; other users can ask for an approval. `owners`: only owners can use them.',
    enum: APPLICATION_APPROVALS,
    example: 'anyone',
  })
  applicationApproval!: ApplicationApproval;
  @ApiProperty({
    type: [String],
    description:
      'Domains whose addresses applications can use as `client_id` (Client ID Metadata Documents), compared exactly. An empty list allows none.',
    example: [],
  })
  clientIdMetadataDomains!: string[];
  @ApiProperty({ description: 'Whether users can use applications that registered themselves (RFC 7591).', example: false })
  dynamicClientRegistration!: boolean;
}
