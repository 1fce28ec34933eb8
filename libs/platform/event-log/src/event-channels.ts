/** The PostgreSQL channel on which relays notify that events have positions. The payload is the tenant's ID. */
export const EVENTS_NUMBERED_CHANNEL = 'events_numbered';
