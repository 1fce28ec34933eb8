/** The pages of this area, which are loaded together. */

export { EditRolePage } from './edit-role-page';
export { NewRolePage } from './new-role-page';
export { PermissionCheckPage } from './permission-check-page';
export { RolePage } from './role-page';
export { RolesPage } from './roles-page';
