/** The pages of this area, which are loaded together. */

export { ImportPage } from './import-page';
export { PeoplePage } from './people-page';
export { UserPage } from './user-page';
