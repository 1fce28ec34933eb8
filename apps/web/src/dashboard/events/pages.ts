/** The pages of this area, which are loaded together. */

export { EventLogPage } from './event-log-page';
export { VerificationPage } from './verification-page';
