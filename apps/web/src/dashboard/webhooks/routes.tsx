/** Pages of one organization about webhooks. */
export const webhookRoutes = [] as const;
