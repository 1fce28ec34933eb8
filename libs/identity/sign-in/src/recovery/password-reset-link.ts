import type { IsLinkUsable } from '../links/mailed-links.service.js';

/** Returns whether the user and the organization are active, and the user has the email address that the link was sent to. */
export const isResetUsable: IsLinkUsable = ({ token, owner: { user, managingOrganization } }) =>
  user.status === 'active' && user.emailKey === token.boundTo && managingOrganization.status === 'active';
