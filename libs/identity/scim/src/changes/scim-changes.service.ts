import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { connectionOf } from '../access/scim-connection.js';
import { ScimGroupsService } from '../groups/scim-groups.service.js';
import { ScimPreviewGroupsService } from '../preview/scim-preview-groups.service.js';
import { ScimPreviewUsersService } from '../preview/scim-preview-users.service.js';
import { ScimUsersService } from '../users/scim-users.service.js';

/** Chooses the services for the mode of the connection in the request: changes apply, or a preview records them. */
@Injectable()
export class ScimChangesService {
  constructor(
    private readonly userChanges: ScimUsersService,
    private readonly groupChanges: ScimGroupsService,
    private readonly previewedUsers: ScimPreviewUsersService,
    private readonly previewedGroups: ScimPreviewGroupsService,
  ) {}

  users(ctx: RequestContext): ScimUsersService | ScimPreviewUsersService {
    return connectionOf(ctx).isPreview ? this.previewedUsers : this.userChanges;
  }

  groups(ctx: RequestContext): ScimGroupsService | ScimPreviewGroupsService {
    return connectionOf(ctx).isPreview ? this.previewedGroups : this.groupChanges;
  }
}
