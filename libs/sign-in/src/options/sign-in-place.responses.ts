import { ApiProperty } from '@nestjs/swagger';
import { MAX_PASSWORD_BYTES } from '#crypto';
import type { OrganizationScope } from '#common';
import { policyRules } from '#credentials';
import { type Branding, type PasswordPolicy, PasswordPolicyResponse } from '#organizations';

/** How pages look before anybody is signed in. */
export class SignInBrandingResponse {
  @ApiProperty({ type: String, nullable: true, description: 'The main colour.', example: '#1a2b3c' })
  primaryColor!: string | null;

  @ApiProperty({ description: 'Whether there is a logo: `GET /v1/auth/branding/{organizationId}/logo`.', example: true })
  hasLogo!: boolean;
}

/** An organization as everybody may see it who knows its slug or id. */
export class SignInPlaceResponse {
  @ApiProperty({ example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd' }) id!: string;
  @ApiProperty({ example: 'acme' }) slug!: string;
  @ApiProperty({ example: 'Acme' }) name!: string;
  @ApiProperty({ type: SignInBrandingResponse, description: 'Its own, or that of the nearest organization above that has any.' })
  branding!: SignInBrandingResponse;

  static from({ id, slug, name }: OrganizationScope, { primaryColor, logo }: Branding): SignInPlaceResponse {
    return { id, slug, name, branding: { primaryColor: primaryColor ?? null, hasLogo: Boolean(logo) } };
  }
}

/** The rules for passwords, as fields and as words. */
export class PasswordRulesResponse extends PasswordPolicyResponse {
  @ApiProperty({ type: 'integer', description: 'The longest password, in bytes of UTF-8.', example: MAX_PASSWORD_BYTES })
  maxBytes!: number;

  @ApiProperty({
    type: [String],
    description: 'All rules, one sentence each, for the person who is about to choose a password.',
    example: ['At least 15 characters; a few unrelated words are easy to remember.'],
  })
  rules!: string[];

  static from(policy: PasswordPolicy): PasswordRulesResponse {
    return { ...policy, maxBytes: MAX_PASSWORD_BYTES, rules: policyRules(policy) };
  }
}
