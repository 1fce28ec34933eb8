import { BooleanField, ChoiceField, ExactTextField, TextField, TextListField } from '#http';

const ISSUER = {
  description:
    'The issuer, exactly as the provider writes it; its discovery document is at /.well-known/openid-configuration below it.',
  maxLength: 500,
  // The characters of RFC 3986: it is compared as a text, and told as a URI.
  pattern:
    /^https?:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:\/(?:[A-Za-z0-9_.~!$&'()*+,;=:/-]|%[0-9A-Fa-f]{2})*)?$/,
  patternMessage: 'must be an https address in ASCII without query, fragment or user name.',
  example: 'https://login.example.com',
};
const SCOPES = {
  description: 'What the service asks the provider for.',
  maxItems: 20,
  item: {
    maxLength: 100,
    pattern: /^[\x21\x23-\x5b\x5d-\x7e]+$/,
    patternMessage: 'must be scope names of OAuth 2.0 (RFC 6749).',
  },
  example: ['openid', 'email', 'profile'],
};

const TRUSTED_DOMAINS = {
  description:
    'E-mail domains for which the provider is trusted: who has a verified address there at the provider is led to the account with that address, or gets one. Only callers that may do everything in the organization can set it.',
  maxItems: 50,
  item: {
    maxLength: 253,
    pattern: /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    patternMessage: 'must be domains in lower case, such as example.com.',
  },
  example: ['example.com'],
};
const MFA_TRUSTED = {
  description:
    'Whether a second factor that the provider asked for (`mfa` among the `amr` of its ID token, RFC 8176) counts as one here.',
};

export class CreateIdentityProviderRequest {
  @TextField({ description: 'What people see on the sign-in page.', maxLength: 100, required: true, example: 'Company login' })
  name!: string;

  @ChoiceField({ description: 'The protocol.', choices: ['oidc'], default: 'oidc' })
  type?: 'oidc';

  @TextField({ ...ISSUER, required: true })
  issuer!: string;

  @ExactTextField({
    description: 'The client id that the provider gave this service.',
    maxLength: 500,
    required: true,
    example: '0oa1b2c3d4',
  })
  clientId!: string;

  @ExactTextField({
    description: 'The client secret; kept encrypted and never shown again. Left out: a public client with PKCE alone.',
    maxLength: 1000,
  })
  clientSecret?: string;

  @TextListField(SCOPES)
  scopes?: string[];

  @TextListField(TRUSTED_DOMAINS)
  trustedDomains?: string[];

  @BooleanField({ ...MFA_TRUSTED, default: false })
  mfaTrusted?: boolean;

  @BooleanField({ description: 'Whether users can sign in with it.', default: true })
  enabled?: boolean;
}

export class UpdateIdentityProviderRequest {
  @TextField({ description: 'What people see on the sign-in page.', maxLength: 100, example: 'Company login' })
  name?: string;

  @TextField(ISSUER)
  issuer?: string;

  @ExactTextField({ description: 'The client id.', maxLength: 500 })
  clientId?: string;

  @ExactTextField({ description: 'A new client secret. `null` removes it.', maxLength: 1000, nullable: true })
  clientSecret?: string | null;

  @TextListField(SCOPES)
  scopes?: string[];

  @TextListField(TRUSTED_DOMAINS)
  trustedDomains?: string[];

  @BooleanField(MFA_TRUSTED)
  mfaTrusted?: boolean;

  @BooleanField({ description: 'Whether users can sign in with it.' })
  enabled?: boolean;
}
