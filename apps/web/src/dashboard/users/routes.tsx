/** Pages of one organization about users. */
export const userRoutes = [] as const;
