import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { organizationRoute } from '../root-routes';
import { deliveriesSearch, overviewSearch, pageSearch, reconciliationSearch, signingSearch } from './search';

const webhooksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhooks',
  validateSearch: pageSearch,
  component: lazyRouteComponent(() => import('./list/webhooks-page'), 'WebhooksPage'),
});

const newWebhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhooks/new',
  component: lazyRouteComponent(() => import('./form/new-webhook-page'), 'NewWebhookPage'),
});

const webhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhooks/$webhookId',
  component: lazyRouteComponent(() => import('./detail/webhook-layout'), 'WebhookLayout'),
});

const overviewRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: '/',
  validateSearch: overviewSearch,
  component: lazyRouteComponent(() => import('./detail/webhook-overview'), 'WebhookOverview'),
});

const deliveriesRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'deliveries',
  validateSearch: deliveriesSearch,
  component: lazyRouteComponent(() => import('./deliveries/deliveries-list'), 'DeliveriesList'),
});

const reconciliationRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'reconciliation',
  validateSearch: reconciliationSearch,
  component: lazyRouteComponent(() => import('./reconciliation/reconciliation-tab'), 'ReconciliationTab'),
});

const signingRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'signing',
  validateSearch: signingSearch,
  component: lazyRouteComponent(() => import('./signing/signing-tab'), 'SigningTab'),
});

const settingsRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./settings/settings-tab'), 'SettingsTab'),
});

const deliveryRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhooks/$webhookId/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('./delivery/delivery-page'), 'DeliveryPage'),
});

export const webhookRoutes = [
  webhooksRoute,
  newWebhookRoute,
  webhookRoute.addChildren([overviewRoute, deliveriesRoute, reconciliationRoute, signingRoute, settingsRoute]),
  deliveryRoute,
] as const;
