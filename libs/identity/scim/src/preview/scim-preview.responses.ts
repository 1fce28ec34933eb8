import { ApiProperty } from '@nestjs/swagger';
import { GROUP_ACTIONS, type GroupAction, type ScimPreviewGroup } from './scim-preview-group.entity.js';
import { USER_ACTIONS, type ScimPreviewUser, type UserAction } from './scim-preview-user.entity.js';

const COUNT = { type: 'integer', example: 12 } as const;
const ERROR = {
  type: String,
  nullable: true,
  description: 'Why the change could not be applied when the connection was activated, or null.',
  example: null,
} as const;
const TIME = { format: 'date-time', example: '2026-01-15T10:00:00.000Z' };

export class PreviewedUserCountsResponse {
  @ApiProperty(COUNT) create!: number;
  @ApiProperty({
    ...COUNT,
    description:
      'Existing users whom the connection would take over. Those whom it would also suspend or activate count there, too.',
  })
  adopt!: number;
  @ApiProperty(COUNT) update!: number;
  @ApiProperty({ ...COUNT, description: 'Existing users who would be suspended.' }) suspend!: number;
  @ApiProperty({ ...COUNT, description: 'Suspended users who would become active.' }) activate!: number;
  @ApiProperty(COUNT) delete!: number;
  @ApiProperty({ ...COUNT, description: 'Users with the role `owner` among those who would be suspended or deleted.' })
  removedOwners!: number;
}

export class PreviewedGroupCountsResponse {
  @ApiProperty(COUNT) create!: number;
  @ApiProperty(COUNT) update!: number;
  @ApiProperty(COUNT) delete!: number;
  @ApiProperty({ ...COUNT, description: 'Users who would be added to groups.' }) membersAdded!: number;
  @ApiProperty({ ...COUNT, description: 'Users who would be removed from groups.' }) membersRemoved!: number;
}

export class ScimPreviewResponse {
  @ApiProperty({ type: PreviewedUserCountsResponse }) users!: PreviewedUserCountsResponse;
  @ApiProperty({ type: PreviewedGroupCountsResponse }) groups!: PreviewedGroupCountsResponse;
}

export class PreviewedUserResponse {
  @ApiProperty({ description: 'Id of the user. A new user gets this id.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  id!: string;
  @ApiProperty({ enum: USER_ACTIONS, description: 'What the connection would do.', example: 'suspend' }) action!: UserAction;
  @ApiProperty({ description: 'Whether the connection would also take over an existing user.', example: false }) adopts!: boolean;
  @ApiProperty({ example: 'jane.doe@example.com' }) userName!: string;
  @ApiProperty({ format: 'email', example: 'jane.doe@example.com' }) email!: string;
  @ApiProperty(ERROR) error!: string | null;
  @ApiProperty(TIME) updatedAt!: string;

  static from({ id, action, adopts, userName, email, error, updatedAt }: ScimPreviewUser): PreviewedUserResponse {
    return { id, action, adopts, userName, email, error, updatedAt: updatedAt.toISOString() };
  }
}

export class PreviewedGroupResponse {
  @ApiProperty({ description: 'Id of the group. A new group gets this id.', example: 'group_01kf2b8v3cf5h9r4n0j7d2q6xw' })
  id!: string;
  @ApiProperty({ enum: GROUP_ACTIONS, description: 'What the connection would do.', example: 'update' }) action!: GroupAction;
  @ApiProperty({ example: 'Engineering' }) name!: string;
  @ApiProperty({ ...COUNT, description: 'Users who would be added.' }) membersAdded!: number;
  @ApiProperty({ ...COUNT, description: 'Users who would be removed.' }) membersRemoved!: number;
  @ApiProperty(ERROR) error!: string | null;
  @ApiProperty(TIME) updatedAt!: string;

  static from(group: ScimPreviewGroup): PreviewedGroupResponse {
    const { id, action, displayName, membersAdded, membersRemoved, error, updatedAt } = group;
    return { id, action, name: displayName, membersAdded, membersRemoved, error, updatedAt: updatedAt.toISOString() };
  }
}
