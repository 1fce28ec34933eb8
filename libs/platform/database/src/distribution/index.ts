export { assertCoordinator, type Execute, isDistributed } from './citus-catalog.js';
export { distributeAllTables, distributeSmallTables, type Log } from './distribute-tables.js';
export { DistributionError } from './distribution-error.js';
