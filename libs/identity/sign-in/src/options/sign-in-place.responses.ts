import { ApiProperty } from '@nestjs/swagger';
import { MAX_PASSWORD_BYTES } from '#platform/crypto';
import type { OrganizationScope } from '#platform/common';
import { policyRules } from '#identity/credentials';
import { type Branding, type PasswordPolicy, PasswordPolicyResponse, SignInBrandingResponse } from '#directory/organizations';

/** The public information about an organization. */
export class SignInPlaceResponse {
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({ example: 'acme' }) slug!: string;
  @ApiProperty({ example: 'Acme' }) name!: string;
  @ApiProperty({
    type: SignInBrandingResponse,
    description: 'Branding of the organization, or of its nearest ancestor that has branding.',
  })
  branding!: SignInBrandingResponse;

  static from({ id, slug, name }: OrganizationScope, branding: Branding): SignInPlaceResponse {
    return { id, slug, name, branding: SignInBrandingResponse.from(branding) };
  }
}

/** The password rules, as fields and as sentences. */
export class PasswordRulesResponse extends PasswordPolicyResponse {
  @ApiProperty({ type: 'integer', description: 'Maximum length of a password, in bytes of UTF-8.', example: MAX_PASSWORD_BYTES })
  maxBytes!: number;

  @ApiProperty({
    type: [String],
    description: 'All password rules as sentences to show to the user.',
    example: ['At least 15 characters; a few unrelated words are easy to remember.'],
  })
  rules!: string[];

  static from(policy: PasswordPolicy): PasswordRulesResponse {
    return { ...policy, maxBytes: MAX_PASSWORD_BYTES, rules: policyRules(policy) };
  }
}
