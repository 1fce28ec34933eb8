export {
  destinationProblem,
  type DestinationProblem,
  type DestinationProblemOptions,
  URL_MAX_LENGTH,
} from './destination-problem.js';
export { createHostLookup, type HostLookup, type HostLookupOptions, plainHostname, type ResolvedAddress } from './host-lookup.js';
export { type AddressJudgement, NetworkPolicy } from './network-policy.js';
