export {
  type ActiveSession,
  actorOf,
  callerOf,
  IDENTITY_PROVIDER,
  requestSessionOf,
  SessionCallersService,
} from './session-callers.service.js';
