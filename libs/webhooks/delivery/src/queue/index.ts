export { type BullDeliveries, BullDeliveryQueue } from './bull-delivery-queue.js';
export { bullConnections, bullSettings, DELIVERIES_QUEUE } from './bull-settings.js';
export { DeliveryProcessor } from './delivery.processor.js';
export { type DeliveryJob, DeliveryQueue, jobIdOf } from './delivery-queue.js';
export { InProcessDeliveryQueue } from './in-process-delivery-queue.js';
