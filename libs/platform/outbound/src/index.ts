export { ConnectionDenied } from './connection-denied.js';
export {
  destinationProblem,
  type DestinationProblem,
  type DestinationProblemOptions,
  URL_MAX_LENGTH,
} from './destination-problem.js';
export { createGuardedConnector, type GuardedConnectorOptions } from './guarded-connector.js';
export { createHostLookup, type HostLookup, type HostLookupOptions, plainHostname, type ResolvedAddress } from './host-lookup.js';
export { type AddressJudgement, NetworkPolicy } from './network-policy.js';
export { OutboundModule } from './outbound.module.js';
