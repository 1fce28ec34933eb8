export { CHAIN_START, chainHashes } from './chain/chain-hash.js';
export { CHAINED_COLUMNS, CHAINED_ROW, type ChainedRow } from './chain/chained-row.js';
export { EVENTS_NUMBERED_CHANNEL } from './event-channels.js';
export { EventLogModule } from './event-log.module.js';
export { DueSubscribers } from './subscribers/due-subscribers.js';
export { EventStreams } from './streaming/event-streams.js';
export { EventWakeups } from './streaming/event-wakeups.js';
export { EventRedaction } from './redaction/event-redaction.js';
export { EventRetention } from './retention/event-retention.js';
