/** The pages that most visits begin with, and the frame around all pages of the dashboard: one file with everything that they need. */

export { loadOverview } from './organizations/overview/hint-queries';
export { OverviewPage } from './organizations/overview/overview-page';
export { DashboardShell } from './shell/dashboard-shell';
export { PeoplePage } from './users/people-page';
