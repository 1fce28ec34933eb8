export { BullDeliveryQueue } from './bull-delivery-queue.js';
export { bullSettings, DELIVERIES_QUEUE } from './bull-settings.js';
export { type DeliveryJob, DeliveryQueue, jobIdOf } from './delivery-queue.js';
export { InProcessDeliveryQueue } from './in-process-delivery-queue.js';
export { bullConnections } from './bull-connections.js';
