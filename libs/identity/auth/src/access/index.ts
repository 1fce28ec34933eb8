export * from './access-errors.js';
export { AccessGuard } from './access.guard.js';
export { SessionAcceptanceService } from './session-acceptance.service.js';
export { assertRoutesDeclareAccess } from './assert-routes-declare-access.js';
export * from './credential-authenticator.js';
