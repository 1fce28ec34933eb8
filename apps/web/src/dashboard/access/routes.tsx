/** Pages of one organization about members, roles and permissions. */
export const accessRoutes = [] as const;
