export { GroupExternalIdTaken, GroupNameTaken } from './group-errors.js';
export { GroupMembersService } from './group-members.service.js';
export { GroupsModule } from './groups.module.js';
export { GroupsService } from './groups.service.js';
