import { accessRoutes } from './access/routes';
import { applicationRoutes } from './applications/routes';
import { connectionRoutes } from './connections/routes';
import { eventRoutes } from './events/routes';
import { groupRoutes } from './groups/routes';
import { operationsRoutes } from './operations/routes';
import { organizationRoutes, organizationsRoutes } from './organizations/routes';
import { dashboardRoute, organizationRoute } from './root-routes';
import { userRoutes } from './users/routes';
import { webhookRoutes } from './webhooks/routes';

export const dashboardRoutes = dashboardRoute.addChildren([
  ...organizationsRoutes,
  ...operationsRoutes,
  organizationRoute.addChildren([
    ...organizationRoutes,
    ...userRoutes,
    ...groupRoutes,
    ...accessRoutes,
    ...webhookRoutes,
    ...eventRoutes,
    ...applicationRoutes,
    ...connectionRoutes,
  ]),
]);
