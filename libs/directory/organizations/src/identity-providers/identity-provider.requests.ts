import { OmitType } from '@nestjs/swagger';
import { BooleanField, ChoiceField, DomainListField, ExactTextField, TextField, TextListField } from '#platform/http';
import { PROVIDER_TYPES, type ProviderType } from './provider-types.js';

const ISSUER = {
  description:
    'For `oidc`: issuer URL, exactly as in the discovery document of the provider at `<issuer>/.well-known/openid-configuration`. For `github`: address of GitHub Enterprise Server, without a path.',
  maxLength: 500,
  // Permits only the characters of RFC 3986, because the issuer is a URI and is compared as text.
  pattern:
    /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:\/(?:[A-Za-z0-9_.~!$&'()*+,;=:/-]|%[0-9A-Fa-f]{2})*)?$/,
  patternMessage: 'must be an https URL in ASCII without user name, query or fragment.',
  example: 'https://login.example.com',
};
const CLIENT_ID = {
  description: 'Client id that the provider issued for this service.',
  maxLength: 500,
};
const SCOPES = {
  description: 'OAuth 2.0 scopes to request. `openid` is always included, for `github` instead `user:email`.',
  maxItems: 20,
  item: {
    maxLength: 100,
    pattern: /^[\x21\x23-\x5b\x5d-\x7e]+$/,
    patternMessage: 'must be valid OAuth 2.0 scope names (RFC 6749).',
  },
  example: ['openid', 'email', 'profile'],
};

const TRUSTED_DOMAINS = {
  description:
    'Email domains for which the service trusts the provider, in Unicode or in ASCII. If a person with a verified email address in one of these domains signs in with the provider, the service signs in the existing user with this email address. If no user has this email address, the service creates a user. To add a domain, the caller must have all permissions (`*`) in the organization.',
  maxItems: 50,
  example: ['example.com'],
};
const MFA_TRUSTED = {
  description:
    'Whether the service trusts the MFA of the provider. If true, a sign-in counts as MFA if the claim `amr` of the ID token contains `mfa` (RFC 8176). Must be false for `github`, because GitHub does not report MFA. To set this field to true, the caller must have all permissions (`*`) in the organization.',
};

const ALLOWED_CLIENTS = {
  description:
    'Ids of OAuth clients that get access tokens for users of the provider with assertions that the provider signs (RFC 7523, ID-JAG). The users are not asked. Must be empty for `github`. To add a client, the caller must have all permissions (`*`) in the organization.',
  minItems: 0,
  maxItems: 50,
  item: { maxLength: 64, pattern: /^app_[0-9a-z]{26}$/, patternMessage: 'must be ids of OAuth clients.' },
  example: ['app_01kf2bav4hf7r8v2m5n9q1c3ek'],
};

export class CreateIdentityProviderRequest {
  @TextField({ description: 'Display name on the sign-in page.', maxLength: 100, required: true, example: 'Acme SSO' })
  name!: string;

  @ChoiceField({
    description:
      'Protocol of the identity provider: OpenID Connect, or the OAuth 2.0 of GitHub, which has no OpenID Connect. Cannot be changed later.',
    choices: PROVIDER_TYPES,
    default: 'oidc',
  })
  type?: ProviderType;

  @TextField({
    ...ISSUER,
    description: `${ISSUER.description} Required for \`oidc\`. Default for \`github\`: \`https://github.com\`.`,
  })
  issuer?: string;

  @ExactTextField({ ...CLIENT_ID, required: true, example: '0oa1b2c3d4' })
  clientId!: string;

  @ExactTextField({
    description:
      'Client secret. It is stored encrypted and never returned. Without a client secret, the service is a public client that uses only PKCE. Required for `github`.',
    maxLength: 1000,
  })
  clientSecret?: string;

  @TextListField({
    ...SCOPES,
    description: `${SCOPES.description} Default: \`openid\`, \`email\` and \`profile\`, for \`github\` only \`user:email\`.`,
  })
  scopes?: string[];

  @DomainListField(TRUSTED_DOMAINS)
  trustedDomains?: string[];

  @BooleanField({ ...MFA_TRUSTED, default: false })
  mfaTrusted?: boolean;

  @TextListField(ALLOWED_CLIENTS)
  allowedClients?: string[];

  @BooleanField({ description: 'Whether users can sign in with the identity provider.', default: true })
  enabled?: boolean;
}

export class UpdateIdentityProviderRequest {
  @TextField({ description: 'Display name on the sign-in page.', maxLength: 100, example: 'Acme SSO' })
  name?: string;

  @TextField(ISSUER)
  issuer?: string;

  @ExactTextField(CLIENT_ID)
  clientId?: string;

  @ExactTextField({
    description:
      'New client secret. It is stored encrypted and never returned. `null` removes it, which is not possible for `github`.',
    maxLength: 1000,
    nullable: true,
  })
  clientSecret?: string | null;

  @TextListField(SCOPES)
  scopes?: string[];

  @DomainListField(TRUSTED_DOMAINS)
  trustedDomains?: string[];

  @BooleanField(MFA_TRUSTED)
  mfaTrusted?: boolean;

  @TextListField(ALLOWED_CLIENTS)
  allowedClients?: string[];

  @BooleanField({ description: 'Whether users can sign in with the identity provider.' })
  enabled?: boolean;
}

/** An identity provider in the configuration of an organization, without the clients that its assertions can get tokens for. */
export class IdentityProviderConfiguration extends OmitType(UpdateIdentityProviderRequest, [
  'name',
  'issuer',
  'clientId',
  'clientSecret',
  'allowedClients',
] as const) {
  @TextField({ description: 'Display name on the sign-in page.', maxLength: 100, required: true, example: 'Acme SSO' })
  name!: string;

  @ChoiceField({
    description: "Protocol of the identity provider. The type can't be changed.",
    choices: PROVIDER_TYPES,
    default: 'oidc',
  })
  type?: ProviderType;

  @TextField({ ...ISSUER, required: true })
  issuer!: string;

  @ExactTextField({ ...CLIENT_ID, required: true, example: '0oa1b2c3d4' })
  clientId!: string;

  @ExactTextField({
    description:
      'Client secret of a new identity provider. Documents have a reference such as `${ACME_SSO_CLIENT_SECRET}`, which the command line replaces. The secret of an existing identity provider does not change.',
    maxLength: 1000,
    example: '${ACME_SSO_CLIENT_SECRET}',
  })
  clientSecret?: string;
}
