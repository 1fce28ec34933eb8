export { changedKey } from './changed-key.js';
export { HistoryReconciliationQuery } from './history-reconciliation.query.js';
export { HistoryQuery } from './history.query.js';
export { TRACKED_TABLES, type TrackedTable } from './tracked-tables.js';
export { verifyTrackedWrites } from './tracked-writes.js';
