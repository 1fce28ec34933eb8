export { DeliveryApiModule } from './delivery-api.module.js';
export {
  type AttemptRow,
  DELIVERY_STATUSES,
  DeliveryHistoryQuery,
  type DeliveryRow,
  type DeliveryStatus,
} from './history/delivery-history.query.js';
export { type DeliveryReceiver, RetryService } from './redelivery/retry.service.js';
export { type ReplayInput, ReplayService } from './redelivery/replay.service.js';
export { ReplayResponse } from './redelivery/redelivery.responses.js';
export { ReceiverDeliveriesQuery, ReceiverReplayRequest } from './receivers/receiver-deliveries.requests.js';
export { DELIVERY_PARAM, ReceiverAttemptResponse, ReceiverDeliveryResponse } from './receivers/receiver-deliveries.responses.js';
