export type { DeliveredEvent, Format, Message } from './destination.js';
export { ServiceFormat } from './formats/service-format.js';
export { HttpDestination } from './http/http-destination.js';
export { type ReceiverKind, ReceiverKinds, type ReceiverTarget } from './receiver-kinds.js';
