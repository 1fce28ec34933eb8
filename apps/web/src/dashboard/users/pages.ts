/** The pages of this area, which are loaded together. */

export { ImportPage } from './import-page';
export { MembersPage } from './members-page';
export { UserPage } from './user-page';
export { UsersPage } from './users-page';
