import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page';
import { organizationRoute } from '../root-routes';
import { deliveriesSearch, overviewSearch, pageSearch, reconciliationSearch, signingSearch } from './search';

const webhooksRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhooks',
  validateSearch: pageSearch,
  component: lazyPage(() => import('./list/webhooks-page'), 'WebhooksPage'),
});

const newWebhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhooks/new',
  component: lazyPage(() => import('./form/new-webhook-page'), 'NewWebhookPage'),
});

const webhookRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhooks/$webhookId',
  component: lazyPage(() => import('./detail/webhook-layout'), 'WebhookLayout'),
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
  component: lazyPage(() => import('./deliveries/deliveries-list'), 'DeliveriesList'),
});

const reconciliationRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'reconciliation',
  validateSearch: reconciliationSearch,
  component: lazyPage(() => import('./reconciliation/reconciliation-tab'), 'ReconciliationTab'),
});

const signingRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'signing',
  validateSearch: signingSearch,
  component: lazyPage(() => import('./signing/signing-tab'), 'SigningTab'),
});

const settingsRoute = createRoute({
  getParentRoute: () => webhookRoute,
  path: 'settings',
  component: lazyPage(() => import('./settings/settings-tab'), 'SettingsTab'),
});

const deliveryRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'webhooks/$webhookId/deliveries/$deliveryId',
  component: lazyPage(() => import('./delivery/delivery-page'), 'DeliveryPage'),
});

export const webhookRoutes = [
  webhooksRoute,
  newWebhookRoute,
  webhookRoute.addChildren([overviewRoute, deliveriesRoute, reconciliationRoute, signingRoute, settingsRoute]),
  deliveryRoute,
] as const;
