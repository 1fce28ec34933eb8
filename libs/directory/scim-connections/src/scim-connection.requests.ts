import { OmitType } from '@nestjs/swagger';
import { BooleanField, ChoiceField, IntegerField, MomentField, TextField, TextListField } from '#platform/http';

const MAX_OVERLAP_SECONDS = 7 * 24 * 3_600;

const NAME = { description: 'Name of the directory that provisions the users.', maxLength: 100, example: 'Okta' };
const ADOPT_EXISTING_USERS =
  'Whether the connection can take over users who exist already. It takes over a user only if the organization manages the user, no other connection does, and the domain of the email address is verified in the organization or an ancestor.';
const ALLOW_LOCAL_CHANGES =
  'Whether the API and the dashboard can also change the users and groups of the connection. The next change by the directory overwrites such changes.';

const MAX_REMOVALS = {
  description:
    'Maximum number of users whom the connection can suspend or delete within an hour. More stop the connection. `null` means no limit.',
  min: 1,
  max: 1_000_000,
  nullable: true,
  example: 100,
};
const MAX_REMOVAL_PERCENT = {
  description:
    'The same as a percentage of the active users of the connection. It applies from the eleventh user on. `null` means no limit.',
  min: 1,
  max: 100,
  nullable: true,
  example: 10,
};

export class CreateScimConnectionRequest {
  @TextField({ ...NAME, required: true })
  name!: string;

  @BooleanField({ description: ADOPT_EXISTING_USERS, default: false })
  adoptExistingUsers?: boolean;

  @BooleanField({ description: ALLOW_LOCAL_CHANGES, default: false })
  allowLocalChanges?: boolean;

  @ChoiceField({
    description:
      '`active`: changes by the directory apply at once. `preview`: they are only recorded, until you activate the connection.',
    choices: ['active', 'preview'],
    default: 'active',
  })
  mode?: 'active' | 'preview';

  @IntegerField({ ...MAX_REMOVALS, default: 100 })
  maxRemovals?: number | null;

  @IntegerField(MAX_REMOVAL_PERCENT)
  maxRemovalPercent?: number | null;
}

export class UpdateScimConnectionRequest {
  @IntegerField(MAX_REMOVALS)
  maxRemovals?: number | null;

  @IntegerField(MAX_REMOVAL_PERCENT)
  maxRemovalPercent?: number | null;

  @TextField(NAME)
  name?: string;

  @BooleanField({ description: ADOPT_EXISTING_USERS })
  adoptExistingUsers?: boolean;

  @BooleanField({ description: ALLOW_LOCAL_CHANGES })
  allowLocalChanges?: boolean;
}

/** A SCIM connection in the configuration of an organization, without its tokens and its mode. */
export class ScimConnectionConfiguration extends OmitType(UpdateScimConnectionRequest, ['name'] as const) {
  @TextField({ ...NAME, required: true })
  name!: string;
}

export class CreateScimTokenRequest {
  @TextField({ description: 'Name that describes where the token is used.', maxLength: 100, required: true, example: 'Okta' })
  name!: string;

  @MomentField({
    description: 'Time at which the token expires. By default, the token does not expire.',
    example: '2027-01-31T12:00:00.000Z',
  })
  expiresAt?: Date;

  @TextListField({
    description: 'IP addresses and networks (CIDR) from which the token can be used. By default, all networks are allowed.',
    minItems: 1,
    maxItems: 50,
    item: { maxLength: 64 },
    example: ['203.0.113.0/24', '2001:db8::/32'],
  })
  allowedNetworks?: string[];
}

export class RotateScimTokenRequest {
  @IntegerField({
    description: 'Number of seconds for which the previous token continues to work. At most 7 days.',
    min: 0,
    max: MAX_OVERLAP_SECONDS,
    default: 0,
    example: 3_600,
  })
  expiresInSeconds?: number;
}
