export type { OneTimePurpose, OneTimeToken, OneTimeTokenState } from './one-time-token.entity.js';
export { type NewOneTimeToken, OneTimeTokens } from './one-time-tokens.js';
export { PendingProofs } from './pending-proofs.js';
export type { Session } from './session.entity.js';
export type { SessionTimes } from './session.query.js';
export { isTokenShaped as isSessionTokenShaped } from './token-shape.js';
export { type IdleTimeoutSecondsOf, type NewSession, SessionService } from './session.service.js';
export { SessionsModule } from './sessions.module.js';
export type { UserKey } from './user-key.js';
