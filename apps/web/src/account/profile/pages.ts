/** The pages of this area, which are loaded together. */

export { AccountShell } from './account-shell';
export { ActingForYouPage } from './acting/acting-for-you-page';
export { ApplicationsPage } from './applications-page';
export { ProfilePage } from './profile-page';
export { SecurityPage } from './security-page';
export { SessionsPage } from './sessions-page';
export { SignedInPage } from './signed-in-page';
