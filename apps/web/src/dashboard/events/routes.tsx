/** Pages of one organization about the event log. */
export const eventRoutes = [] as const;
