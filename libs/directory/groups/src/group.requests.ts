import { OmitType } from '@nestjs/swagger';
import { AsOfPageQuery, ExactTextField, TextField, TextListField } from '#platform/http';

const NAME = { description: 'Unique in the organization.', maxLength: 200, example: 'Engineering' };
const DESCRIPTION = {
  description: 'Purpose of the group.',
  maxLength: 500,
  multiline: true,
  example: 'Everybody who builds the product',
};
const EXTERNAL_ID = {
  description: 'Id of the group in your own system, unique in the organization.',
  maxLength: 200,
  example: 'dep-204',
};

/** The fields of a new group. */
export class CreateGroupRequest {
  @TextField({ ...NAME, required: true })
  name!: string;

  @TextField(DESCRIPTION)
  description?: string;

  @TextField(EXTERNAL_ID)
  externalId?: string;
}

/** The fields of a group to change. */
export class UpdateGroupRequest {
  @TextField(NAME)
  name?: string;

  @TextField({ ...DESCRIPTION, description: 'Purpose of the group. `null` removes the description.', nullable: true })
  description?: string | null;

  @TextField({ description: `${EXTERNAL_ID.description} \`null\` removes it.`, maxLength: EXTERNAL_ID.maxLength, nullable: true })
  externalId?: string | null;
}

/** A group in the configuration of an organization. Its members are no configuration. */
export class GroupConfiguration extends OmitType(UpdateGroupRequest, ['name'] as const) {
  @TextField({ ...NAME, required: true })
  name!: string;

  @TextListField({
    description:
      'Names or ids of the roles of the group: built-in roles except `owner`, and roles of the organization or its ancestors.',
    maxItems: 50,
    item: { maxLength: 100 },
    example: ['admin'],
  })
  roles?: string[];
}

export class ListGroupsQuery extends AsOfPageQuery {
  @ExactTextField({
    description: 'Only groups whose name contains this text. Case and accents are ignored.',
    minLength: 0,
    maxLength: 100,
  })
  search?: string;

  @ExactTextField({ description: 'Only groups with this `externalId`.', maxLength: 200 })
  externalId?: string;
}

export class ListUserGroupsQuery extends AsOfPageQuery {}

export class ListGroupMembersQuery extends AsOfPageQuery {
  @ExactTextField({
    description:
      'Only members whose name or email address contains this text. Case and accents are ignored. A text of 1 or 2 characters matches only the beginnings of words.',
    minLength: 0,
    maxLength: 100,
  })
  search?: string;
}

/** Maximum number of users in a request. */
const MAX_USERS = 1_000;

export class AddGroupMembersRequest {
  @TextListField({
    description: 'Ids of members of the organization. Users who are already in the group are ignored.',
    required: true,
    minItems: 1,
    maxItems: MAX_USERS,
    item: { maxLength: 64 },
    example: ['usr_01kf2b8v3cf5h9r4n0j7d2q6xw'],
  })
  userIds!: string[];
}

export class AssignGroupRoleRequest {
  @TextField({
    description: 'Id or name of a role of the organization or its ancestors, except `owner`.',
    maxLength: 100,
    required: true,
    example: 'role_admin',
  })
  roleId!: string;
}
