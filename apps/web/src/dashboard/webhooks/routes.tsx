import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { pagingIn } from '../../ui/paging';
import { organizationRoute } from '../root-routes';
import { deliveriesSearch, overviewSearch, reconciliationSearch, signingSearch } from './search';

const pages = () => import('./pages');

const webhooksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhooks',
  validateSearch: pagingIn,
  component: lazyPage(pages, 'WebhooksPage'),
});

const newWebhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhooks/new',
  component: lazyPage(pages, 'NewWebhookPage'),
});

const webhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhooks/$webhookId',
  component: lazyPage(pages, 'WebhookLayout'),
});

const overviewRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: '/',
  validateSearch: overviewSearch,
  component: lazyPage(() => import('./detail/webhook-overview'), 'WebhookOverview'),
});

const deliveriesRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'deliveries',
  validateSearch: deliveriesSearch,
  component: lazyPage(pages, 'DeliveriesList'),
});

const reconciliationRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'reconciliation',
  validateSearch: reconciliationSearch,
  component: lazyPage(pages, 'ReconciliationTab'),
});

const signingRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'signing',
  validateSearch: signingSearch,
  component: lazyPage(pages, 'SigningTab'),
});

const settingsRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'settings',
  component: lazyPage(pages, 'SettingsTab'),
});

const deliveryRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhooks/$webhookId/deliveries/$deliveryId',
  component: lazyPage(pages, 'DeliveryPage'),
});

export const webhookRoutes = [
  webhooksRoute,
  newWebhookRoute,
  webhookRoute.addChildren([overviewRoute, deliveriesRoute, reconciliationRoute, signingRoute, settingsRoute]),
  deliveryRoute,
] as const;
