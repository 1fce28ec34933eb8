export {
  actorOf,
  callerOf,
  type ActiveSession,
  IDENTITY_PROVIDER,
  requestSessionOf,
  SessionCallersService,
} from './callers/index.js';
export { ReservedAudiences } from './access-tokens/reserved-audiences.js';
export { type SigningKeyPair, SigningKeysService } from './access-tokens/signing-keys.service.js';
export { ACCESS_TOKEN_LIFETIME_MS } from './access-tokens/signing-key-rotation.js';
export { ImpersonatorResponse } from './sessions/impersonator.responses.js';
export { OwnSessionsService } from './sessions/own-sessions.service.js';
export { SessionAccessModule } from './session-access.module.js';
