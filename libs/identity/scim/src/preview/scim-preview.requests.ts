import { ChoiceField, PageQuery } from '#platform/http';
import { GROUP_ACTIONS, type GroupAction } from './scim-preview-group.entity.js';
import { USER_ACTIONS, type UserAction } from './scim-preview-user.entity.js';

export class ListPreviewedUsersQuery extends PageQuery {
  @ChoiceField({ description: 'Only users with this action.', choices: USER_ACTIONS })
  action?: UserAction;
}

export class ListPreviewedGroupsQuery extends PageQuery {
  @ChoiceField({ description: 'Only groups with this action.', choices: GROUP_ACTIONS })
  action?: GroupAction;
}
