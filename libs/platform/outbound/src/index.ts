export { ConnectionDenied } from './connection-denied.js';
export { destinationProblem, type DestinationProblem, URL_MAX_LENGTH } from './destination-problem.js';
export { createGuardedConnector } from './guarded-connector.js';
export { createHostLookup, type HostLookup } from './host-lookup.js';
export { NetworkPolicy } from './network-policy.js';
export { createOperatorAgent } from './operator-agent.js';
export { OutboundModule } from './outbound.module.js';
export { isStaleConnection, withFinalResponses } from './response-reader.js';
