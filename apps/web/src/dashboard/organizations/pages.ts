/** The pages of this area, which are loaded together. */

export { MovePage } from './move/move-page';
export { OrganizationsPage } from './organizations-page';
export { SettingsPage } from './settings/settings-page';
