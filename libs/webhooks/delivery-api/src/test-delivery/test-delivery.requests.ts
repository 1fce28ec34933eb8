import { EVENT_TYPES, type EventType } from '#platform/events';
import { ChoiceField } from '#platform/http';

/** Body of a request that sends a test delivery. */
export class TestWebhookRequest {
  @ChoiceField({
    description: 'Event type of the example event that is sent.',
    choices: EVENT_TYPES,
    required: true,
    example: 'user.created',
  })
  eventType!: EventType;
}
