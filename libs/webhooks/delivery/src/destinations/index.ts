export type { DeliveredEvent, Format, Message } from './destination.js';
export { SignedFormat } from './formats/signed-format.js';
export { HttpDestination } from './http/http-destination.js';
export {
  type Admission,
  type EventReceiver,
  type ReceivableEvent,
  type ReceiverKey,
  type ReceiverKind,
  ReceiverKinds,
  type ReceiverTarget,
} from './receiver-kinds.js';
