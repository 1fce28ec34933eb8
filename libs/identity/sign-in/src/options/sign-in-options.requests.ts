import { ApiProperty } from '@nestjs/swagger';
import { PROVIDER_TYPES } from '#directory/organizations';
import { TextField } from '#platform/http';
import { OrganizationField } from '../organization-field.js';
import { PasswordRulesResponse, SignInPlaceResponse } from './sign-in-place.responses.js';

export const SIGN_IN_METHODS = ['password', 'passkey'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

export class SignInOptionsQuery {
  @OrganizationField()
  organization!: string;
}

export class DiscoverSignInRequest {
  @TextField({ description: 'Email address of the user.', maxLength: 320, example: 'jane.doe@example.com', required: true })
  email!: string;
}

export class ProviderChoiceResponse {
  @ApiProperty({
    description: 'Id of the identity provider, for `POST /v1/auth/oidc/start`.',
    example: 'idp_01kf2b7m9ze4k8s1t6w3a5y0pd',
  })
  id!: string;
  @ApiProperty({ example: 'Company login' }) name!: string;
  @ApiProperty({ enum: PROVIDER_TYPES }) type!: string;
}

export class SignUpOptionsResponse {
  @ApiProperty({ description: 'Whether anyone can sign up.', example: true }) open!: boolean;
  @ApiProperty({
    type: [String],
    description: 'Email domains with which users can sign up. Empty if all domains are allowed, or if sign-up is closed.',
    example: ['example.com'],
  })
  allowedDomains!: string[];
}

export class SignInOptionsResponse {
  @ApiProperty({ description: 'Name of the service.', example: 'service' }) serviceName!: string;
  @ApiProperty({ type: SignInPlaceResponse }) organization!: SignInPlaceResponse;
  @ApiProperty({
    description: 'Language of the sign-in page, as a BCP 47 tag. This is the setting `defaultLocale` of the organization.',
    example: 'en',
  })
  locale!: string;
  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...SIGN_IN_METHODS] },
    description: 'Sign-in methods in addition to the identity providers.',
    example: [...SIGN_IN_METHODS],
  })
  methods!: SignInMethod[];
  @ApiProperty({
    description:
      'Whether the users that the organization manages, except owners, can sign in only with an identity provider. If true, show the identity providers first.',
    example: false,
  })
  ssoRequired!: boolean;
  @ApiProperty({
    type: [ProviderChoiceResponse],
    description: 'Enabled identity providers of the organization and its ancestors, nearest first.',
  })
  identityProviders!: ProviderChoiceResponse[];
  @ApiProperty({ type: SignUpOptionsResponse }) signUp!: SignUpOptionsResponse;
  @ApiProperty({ type: PasswordRulesResponse }) passwordPolicy!: PasswordRulesResponse;
}

/** The organization of an email domain. */
export class DiscoveredSignInResponse {
  @ApiProperty({
    oneOf: [{ $ref: '#/components/schemas/SignInPlaceResponse' }, { type: 'null' }],
    description: 'Organization that has verified the domain of the email address, or null.',
  })
  organization!: SignInPlaceResponse | null;

  @ApiProperty({
    oneOf: [{ $ref: '#/components/schemas/ProviderChoiceResponse' }, { type: 'null' }],
    description: 'Identity provider of the organization to start with, or null.',
  })
  identityProvider!: ProviderChoiceResponse | null;
}
