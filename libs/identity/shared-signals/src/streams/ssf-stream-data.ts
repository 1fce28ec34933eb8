import type { SsfStreamData } from '../shared-signals.definitions.js';
import type { SsfStream } from './ssf-stream.entity.js';

/** Returns a stream as events show it: with only the origin of its address and without its credentials. */
export const ssfStreamData = (stream: SsfStream): SsfStreamData => ({
  id: stream.id,
  organizationId: stream.organizationId,
  ...(stream.clientId === null ? {} : { clientId: stream.clientId }),
  deliveryMethod: stream.deliveryMethod,
  ...(stream.endpointUrl === null ? {} : { origin: new URL(stream.endpointUrl).origin }),
  eventsRequested: stream.eventsRequested,
  description: stream.description,
  subjectFormat: stream.subjectFormat,
  status: stream.status,
  statusReason: stream.statusReason,
  createdAt: stream.createdAt.toISOString(),
});

/** Returns what a change can change, besides what events show: the address and the credentials. */
export const isSameDelivery = (before: SsfStream, after: SsfStream): boolean =>
  before.endpointUrl === after.endpointUrl && before.authorizationSealed === after.authorizationSealed;
