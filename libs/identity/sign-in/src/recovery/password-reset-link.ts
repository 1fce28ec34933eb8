import type { IsLinkUsable } from '../links/mailed-links.service.js';

/** Returns whether the user and the organization are active, and the user still has the email address that the link was sent to. */
export const isResetUsable: IsLinkUsable = ({ token, owner: { user, home } }) =>
  user.status === 'active' && user.emailKey === token.boundTo && home.status === 'active';
