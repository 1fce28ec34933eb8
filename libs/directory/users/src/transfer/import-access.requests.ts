import { BooleanField, ExactTextField, IntegerField, ObjectField, TextField, TextListField } from '#platform/http';
import { SLUG_PATTERN } from '#directory/organizations';

/** Most accounts at identity providers, memberships and passkeys of one line. */
export const MAX_IDENTITIES = 20;
export const MAX_MEMBERSHIPS = 50;
export const MAX_IMPORTED_PASSKEYS = 20;

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const BASE64_MESSAGE = 'must be base64 or base64url.';

/** OpenID Connect Core 1.0, section 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

export class ImportIdentityRequest {
  @TextField({
    description: 'Id or name of an identity provider of the organization or its ancestors.',
    maxLength: 100,
    required: true,
    example: 'Google',
  })
  identityProvider!: string;

  @ExactTextField({
    description: 'Id of the user at the identity provider: `sub` in the ID token, or the numeric id at GitHub.',
    maxLength: 255,
    pattern: SUBJECT,
    patternMessage: 'must have only ASCII characters.',
    required: true,
    example: '248289761001',
  })
  subject!: string;
}

export class ImportMembershipRequest {
  @TextField({
    description: 'Id or slug of another organization of the same tenant.',
    maxLength: 100,
    required: true,
    example: 'acme-berlin',
  })
  organization!: string;

  @TextField({
    description:
      'Id or name of the role of the membership. Default: the role in the setting `defaultRole` of the organization of the membership.',
    maxLength: 100,
    example: 'admin',
  })
  role?: string;

  @TextListField({
    description: 'Ids or names of additional roles in the organization of the membership.',
    maxItems: 50,
    item: { maxLength: 100 },
    example: ['billing'],
  })
  roles?: string[];
}

export class ImportPasskeyRequest {
  @ExactTextField({
    description: 'Id of the passkey (credential id) in base64url or base64.',
    maxLength: 1_400,
    pattern: BASE64,
    patternMessage: BASE64_MESSAGE,
    required: true,
    example: 'q1CTzZ5nTq6zGgQ3hYv0wA',
  })
  credentialId!: string;

  @ExactTextField({
    description: 'Public key as COSE key (ES256, ES384, ES512, EdDSA or RSA) in base64url or base64.',
    maxLength: 1_000,
    pattern: BASE64,
    patternMessage: BASE64_MESSAGE,
    required: true,
    example: 'pQECAyYgASFYIGAlBRMxn8gmrDeqrBI2iU3Qsc2PuOoRbwS2XeOVYz_eIlggA3p1rhQyHIXykqTWjQrx2NyEmc8cOkHDSnPxFhGlvYc',
  })
  publicKey!: string;

  @IntegerField({
    description: 'Number of signatures so far. The next sign-in must have a higher number, unless it is 0.',
    min: 0,
    max: 4_294_967_295,
  })
  counter?: number;

  @TextListField({
    description: 'How browsers reach the passkey.',
    maxItems: 10,
    item: { maxLength: 20, pattern: /^[a-z-]+$/, patternMessage: 'must be a transport such as internal.' },
    example: ['internal', 'hybrid'],
  })
  transports?: string[];

  @BooleanField({ description: 'Whether the passkey is synchronized between devices.', default: false })
  backedUp?: boolean;

  @TextField({ description: 'Name of the passkey. Default: `Passkey`.', maxLength: 100, example: 'MacBook' })
  name?: string;

  @ExactTextField({
    description: 'RP ID for which the passkey was created. It must be the host of the address of this service.',
    maxLength: 253,
    example: 'login.example.com',
  })
  rpId?: string;
}

export class ImportOrganizationRequest {
  @TextField({
    description: 'Slug of the organization. If an organization of the tenant has this slug, the line changes nothing.',
    maxLength: 63,
    pattern: SLUG_PATTERN,
    patternMessage: 'must have lowercase letters, digits and hyphens, and must start and end with a letter or a digit.',
    required: true,
    example: 'acme-berlin',
  })
  slug!: string;

  @TextField({ description: 'Display name of a new organization.', maxLength: 200, required: true, example: 'Acme Berlin' })
  name!: string;

  @TextField({
    description:
      'Id or slug of the parent: the organization of the import (default), or one below it, which an earlier line can create.',
    maxLength: 63,
    example: 'acme',
  })
  parent?: string;
}

/** A line of an import that creates an organization, so that later lines can have memberships in it. */
export class ImportOrganizationLine {
  @ObjectField(() => ImportOrganizationRequest, { description: 'The organization.', required: true })
  organization!: ImportOrganizationRequest;
}
