import './oauth.definitions.js';

export { OAuthModule } from './oauth.module.js';
export { OAuthEndpointsService } from './provider/oauth-endpoints.service.js';
