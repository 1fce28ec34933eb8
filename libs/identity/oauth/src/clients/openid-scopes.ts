/** The scopes of OpenID Connect. `organization` asks for the organization and the roles of the user. */
export const OPENID_SCOPES = ['openid', 'profile', 'email', 'phone', 'organization', 'offline_access'];
