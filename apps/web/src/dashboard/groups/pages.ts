/** The pages of this area, which are loaded together. */

export { GroupPage } from './group-page';
export { GroupsPage } from './groups-page';
