import { OAuthSessionChecksService } from './oauth-session-checks.service.js';
import { OAuthSessionEndsService } from './oauth-session-ends.service.js';
import { OAuthSessionQuery } from './oauth-session.query.js';
import { UsableSessionsService } from './usable-sessions.service.js';

/** The sessions of users at clients, which end with a logout token. */
export const SESSION_PROVIDERS = [
  OAuthSessionChecksService,
  OAuthSessionEndsService,
  OAuthSessionQuery,
  UsableSessionsService,
] as const;
