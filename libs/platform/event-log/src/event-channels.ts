/** The PostgreSQL channel that relays notify after they assign positions to events. The payload is the tenant's ID. */
export const EVENTS_NUMBERED_CHANNEL = 'events_numbered';
