/** On this channel relays say that events have been numbered; the payload is the tenant's id. */
export const EVENTS_NUMBERED_CHANNEL = 'events_numbered';
