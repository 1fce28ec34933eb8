export type { OneTimePurpose, OneTimeToken, OneTimeTokenState } from './one-time-token.entity.js';
export { OneTimeTokenService } from './one-time-token.service.js';
export { PendingVerifications } from './pending-verifications.js';
export type { Session } from './session.entity.js';
export { isTokenShaped as isSessionTokenShaped } from './token-shape.js';
export type { SessionDetails } from './session.query.js';
export { type IdleTimeoutSecondsOf, SessionService } from './session.service.js';
export { SessionsModule } from './sessions.module.js';
export type { UserKey } from './user-key.js';
