import './oauth.definitions.js';
import './approval/approval.definitions.js';

export { ClientOwnerCheckService } from './clients/client-owner-check.service.js';
export { OAuthModule } from './oauth.module.js';
export { OAuthEndpointsService } from './provider/oauth-endpoints.service.js';
