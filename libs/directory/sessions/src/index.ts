export type { OneTimePurpose, OneTimeToken, OneTimeTokenState } from './one-time-token.js';
export { type NewOneTimeToken, OneTimeTokens } from './one-time-tokens.js';
export { PendingProofs } from './pending-proofs.js';
export type { Session, UserKey } from './session.js';
export type { SessionTimes } from './session.repository.js';
export { isTokenShaped as isSessionTokenShaped } from './token-shape.js';
export { type IdleTimeoutSecondsOf, type NewSession, SessionService } from './session.service.js';
export { SessionsModule } from './sessions.module.js';
