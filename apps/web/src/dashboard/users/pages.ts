/** The pages of this area, which are loaded together. */

export { ImportPage } from './import-page';
export { MembersPage } from './members-list';
export { UserPage } from './user-page';
export { UsersPage } from './users-list';
