import type { components, EVENT_TYPES } from './events.gen.js';

export { EVENT_TYPES } from './events.gen.js';

type Schemas = components['schemas'];

/** A type of event: `user.created`, `role.assigned`, … */
export type WebhookEventType = (typeof EVENT_TYPES)[number];

/** The event of one type: `WebhookEventOf<'user.created'>`. */
export type WebhookEventOf<Type extends WebhookEventType> = Schemas[Type];

/** Any event. `type` determines the type of `data`. */
export type WebhookEvent = { [Type in WebhookEventType]: Schemas[Type] }[WebhookEventType];

/** The `data` of one type of event. */
export type WebhookEventData<Type extends WebhookEventType> = Schemas[Type]['data'];
