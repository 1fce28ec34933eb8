export { changedKey } from './changed-key.js';
export { HistoryQuery } from './history.query.js';
export { HistoryCleanupService } from './history-cleanup.service.js';
export { HistoryUnavailable } from './moment-errors.js';
export { TRACKED_TABLES } from './tracked-tables.js';
export { verifyTrackedWrites } from './tracked-writes.js';
