export { DeliveryModule } from './delivery.module.js';
export {
  type Admission,
  type DeliveredEvent,
  type EventReceiver,
  type Format,
  type Message,
  type ReceivableEvent,
  type ReceiverKey,
  type ReceiverKind,
  ReceiverKinds,
  type ReceiverTarget,
  SignedFormat,
} from './destinations/index.js';
export { DeliveryOrderQuery } from './ledger/delivery-order.query.js';
export { DeliveryTargetsQuery } from './ledger/delivery-targets.query.js';
export type { AttemptResult } from './ledger/delivery-state.query.js';
export { SecretsUnreadable } from './ledger/delivery-target.js';
export { remainingAttempts, type ScheduledAttempt } from './ledger/retry-schedule.js';
export { DeliverySender } from './processing/delivery-sender.js';
export { type DeliveryJob, DeliveryQueue } from './queue/index.js';
export { RelayQuery } from './relay/relay.query.js';
export { payloadMatches, TYPES_FOR_PARENT } from './relay/webhook-matching.js';
export { restoredHeaders, type StoredHeaders } from './signing/index.js';
