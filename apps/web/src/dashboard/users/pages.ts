/** The pages of this area, which are loaded together, without the list of people. */

export { ImportPage } from './import-page';
export { UserPage } from './user-page';
