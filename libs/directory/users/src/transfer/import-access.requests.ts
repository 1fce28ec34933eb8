import { ExactTextField, TextField, TextListField } from '#platform/http';

/** Most accounts at identity providers, and most memberships, of one line. */
export const MAX_IDENTITIES = 20;
export const MAX_MEMBERSHIPS = 50;

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
