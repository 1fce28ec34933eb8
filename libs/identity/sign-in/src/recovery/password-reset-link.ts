import type { IsLinkUsable } from '../links/mailed-links.service.js';

/** A password reset link works while user and organization are active and the user has the email address that it was sent to. */
export const isResetUsable: IsLinkUsable = ({ token, owner: { user, home } }) =>
  user.status === 'active' && user.emailKey === token.boundTo && home.status === 'active';
