import './oauth.definitions.js';
import './approval/approval.definitions.js';
import './sessions/oauth-session.definitions.js';

export { ClientOwnerCheckService } from './clients/client-owner-check.service.js';
export { OAuthClientQuery, type LogoutReceiver } from './clients/oauth-client.query.js';
export { OAuthClientsService } from './clients/oauth-clients.service.js';
export { CLIENT_ID, CLIENT_PARAM } from './clients/oauth-client.responses.js';
export { OAuthSessionsService } from './sessions/oauth-sessions.service.js';
export { OAuthModule } from './oauth.module.js';
export { OAuthEndpointsService } from './provider/oauth-endpoints.service.js';
