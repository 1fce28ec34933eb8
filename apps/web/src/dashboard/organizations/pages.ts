/** The pages of this area, which are loaded together. */

export { GettingStartedPage } from './getting-started/getting-started-page';
export { MovePage } from './move/move-page';
export { OrganizationsPage } from './organizations-page';
export { OverviewPage } from './overview/overview-page';
export { SettingsPage } from './settings/settings-page';
