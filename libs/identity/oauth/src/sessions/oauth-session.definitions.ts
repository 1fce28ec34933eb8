import { defineEvents } from '#platform/events';

/** The sign-in of a user at an OAuth client, in the `data` of events. */
export interface OAuthSessionData {
  sessionId: string;
  userId: string;
  organizationId: string;
  clientId: string;
  /** The `client_id` with which the client identifies itself. Another one than `clientId` for clients that nobody created with the API. */
  audience: string;
  /** Why the session ended. */
  reason: string;
}

declare module '#platform/events' {
  interface EventCatalog {
    'oauth_session.ended': OAuthSessionData;
  }
}

defineEvents({
  'oauth_session.ended': {
    description:
      'A session of a user at an OAuth client with a `backchannelLogoutUri` ended. The client receives a logout token. `reason` says why: the reason of `user.logout`, `security.session_revoked` or `oauth_grant.revoked`, or `session_expired`, `user_suspended`, `member_removed`, `organization_suspended`, `organization_deleted`, `identity_provider_disabled` or `identity_provider_deleted`.',
    example: {
      sessionId: 'ses_01kf2bk2q7h9v3t5m8w1x4r6ce',
      userId: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
      organizationId: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
      clientId: 'app_01kf2bav4hf7r8v2m5n9q1c3ek',
      audience: 'app_01kf2bav4hf7r8v2m5n9q1c3ek',
      reason: 'user_suspended',
    },
  },
});
