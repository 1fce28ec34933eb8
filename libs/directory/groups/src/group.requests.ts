import { TextField } from '#platform/http';

const NAME = { description: 'Unique in the organization.', maxLength: 100, example: 'First' };

/** The fields of a new group. */
export class CreateGroupRequest {
  @TextField({ ...NAME, required: true })
  name!: string;

  @TextField({ description: 'Purpose of the group.', maxLength: 500, example: 'The first of its kind' })
  description?: string;
}

/** The fields of a group to change. */
export class UpdateGroupRequest {
  @TextField(NAME)
  name?: string;

  @TextField({ description: 'Purpose of the group. `null` removes the description.', maxLength: 500, nullable: true })
  description?: string | null;
}
