/** Pages of one organization about API keys, identity providers and break glass. */
export const connectionRoutes = [] as const;
