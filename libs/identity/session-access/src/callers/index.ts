export { callerOf } from './session.authenticator.js';
export { type ActiveSession, IDENTITY_PROVIDER, requestSessionOf, SessionCallersService } from './session-callers.service.js';
