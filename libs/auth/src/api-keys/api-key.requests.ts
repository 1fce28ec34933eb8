import { SERVICE_PERMISSIONS } from '#common';
import { IntegerField, MomentField, TextField, TextListField } from '#http';

export const MAX_OVERLAP_SECONDS = 7 * 24 * 3_600;

/** Everything that a key may be granted: single permissions, all of a resource, and all. */
export const GRANTABLE_SCOPES: readonly string[] = [
  '*',
  ...new Set(SERVICE_PERMISSIONS.map((permission) => `${permission.split(':')[0]}:*`)),
  ...SERVICE_PERMISSIONS,
];

export class CreateApiKeyRequest {
  @TextField({ description: 'What the key is for, for people.', maxLength: 100, required: true, example: 'Billing sync' })
  name!: string;

  @TextListField({
    description:
      'What the key may do, in its organization and those below: permissions, `users:*`, or `*`. None that the caller lacks.',
    required: true,
    minItems: 1,
    maxItems: GRANTABLE_SCOPES.length,
    item: { maxLength: 64 },
    choices: GRANTABLE_SCOPES,
    example: ['users:read', 'members:*'],
  })
  scopes!: string[];

  @MomentField({
    description: 'When the key ends by itself. Without it, never, or as late as the setting `maxApiKeyLifetime` allows.',
    example: '2027-01-31T12:00:00.000Z',
  })
  expiresAt?: string;

  @TextListField({
    description: 'Addresses and networks (CIDR) from which the key works. Without them, from everywhere.',
    minItems: 1,
    maxItems: 50,
    item: { maxLength: 64 },
    example: ['203.0.113.0/24', '2001:db8::/32'],
  })
  allowedNetworks?: string[];
}

export class RotateApiKeyRequest {
  @IntegerField({
    description: 'For how many seconds the old key still works beside the new one; at most 7 days.',
    min: 0,
    max: MAX_OVERLAP_SECONDS,
    default: 0,
    example: 3_600,
  })
  expiresInSeconds?: number;
}
