/** The pages of this area, which are loaded together. */

export { DeliveriesList } from './deliveries/deliveries-list';
export { DeliveryPage } from './delivery/delivery-page';
export { NewWebhookPage } from './form/new-webhook-page';
export { ReconciliationTab } from './reconciliation/reconciliation-tab';
export { SettingsTab } from './settings/settings-tab';
export { SigningTab } from './signing/signing-tab';
export { WebhookLayout } from './detail/webhook-layout';
export { WebhooksPage } from './list/webhooks-page';
