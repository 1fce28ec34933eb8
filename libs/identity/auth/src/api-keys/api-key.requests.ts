import { GRANTABLE_SCOPES } from '#platform/common';
import { IntegerField, MomentField, TextField, TextListField } from '#platform/http';

const MAX_OVERLAP_SECONDS = 7 * 24 * 3_600;

export class CreateApiKeyRequest {
  @TextField({
    description: 'Name that describes what the key is used for.',
    maxLength: 100,
    required: true,
    example: 'Billing sync',
  })
  name!: string;

  @TextListField({
    description:
      'Permissions of the key in the organization and its descendants. `users:*` covers all actions on a resource, and `*` covers everything. The caller must have all of these permissions.',
    required: true,
    minItems: 1,
    item: { maxLength: 64 },
    choices: GRANTABLE_SCOPES,
    example: ['users:read', 'members:*'],
  })
  scopes!: string[];

  @MomentField({
    description:
      'Time at which the key expires. By default, the key does not expire. If the setting `maxApiKeyLifetime` limits the lifetime of the key, the default is the latest time that the setting allows. If you create the key with another API key, the default is never later than the expiry of that API key.',
    example: '2027-01-31T12:00:00.000Z',
  })
  expiresAt?: Date;

  @TextListField({
    description:
      'IP addresses and networks (CIDR) from which the key can be used. By default, all networks are allowed. If you create the key with another API key, the default is the allowed networks of that API key.',
    minItems: 1,
    maxItems: 50,
    item: { maxLength: 64 },
    example: ['203.0.113.0/24', '2001:db8::/32'],
  })
  allowedNetworks?: string[];
}

export class RotateApiKeyRequest {
  @IntegerField({
    description: 'Number of seconds for which the previous key continues to work. At most 7 days.',
    min: 0,
    max: MAX_OVERLAP_SECONDS,
    default: 0,
    example: 3_600,
  })
  expiresInSeconds?: number;
}
