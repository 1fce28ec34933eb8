import { BooleanField, ExactTextField, IntegerField, JsonObjectField, TextField, TextListField, TextMapField } from '#http';
import { SUBSCRIPTIONS } from '#events';
import { URL_MAX_LENGTH } from '#outbound';
import { HEADER_VALUE, HEADER_VALUE_MAX_LENGTH } from './custom-headers.js';
import { filterProblem, type PayloadFilter } from './payload-filter.js';
import { SECRET_MAX_LENGTH } from './signing-secret.js';

const HEADERS_MAX = 20;
const EVENTS_EXAMPLE = ['user.created', 'organization.*'];

const nameField = { description: 'Display name. Default: the host of the URL.', example: 'Billing', maxLength: 200 };
const urlField = {
  description:
    "Destination of the deliveries: an `https` URL that is reachable from the public internet. Characters that a URI can't contain are stored in their ASCII form.",
  example: 'https://example.com/hooks',
  maxLength: URL_MAX_LENGTH,
  format: 'uri',
};
const eventsField = {
  description: 'Event types to send: single types, groups such as `user.*`, or `*` for all types except `webhook.*`.',
  example: EVENTS_EXAMPLE,
  minItems: 1,
  maxItems: SUBSCRIPTIONS.length,
  item: { maxLength: 64 },
  choices: SUBSCRIPTIONS,
};
const enabledField = {
  description:
    'Whether events are sent. While the webhook is disabled with this field, the service sends nothing and gives new deliveries the status `skipped`.',
};
const secretField = {
  description: 'Signing secret. Use at least 16 characters. Default: a random secret.',
  example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  maxLength: SECRET_MAX_LENGTH,
};

/** The longest delay until a new secret takes effect, in seconds. */
const ACTIVATION_MAX_SECONDS = 30 * 86_400;

const headersField = {
  description: 'Custom headers that are sent with each delivery, such as credentials for the destination. Stored encrypted.',
  example: { authorization: 'Bearer 7f3a29c1e5' },
  maxKeys: HEADERS_MAX,
  value: { maxLength: HEADER_VALUE_MAX_LENGTH, pattern: HEADER_VALUE },
  complaintAbout: () => undefined,
};
const filterField = {
  description:
    'Condition on the `data` of events; only matching events are sent. Maps field paths to values or to the operators `$eq`, `$ne`, `$in`, `$nin`, `$gt`, `$gte`, `$lt`, `$lte`, `$exists`, `$size`, `$all` and `$not`; conditions can be combined with `$and`, `$or` and `$nor`. At most 4 KB and 5 levels.',
  example: { 'metadata.plan': { $in: ['pro', 'team'] } },
  complaintAbout: filterProblem,
};
const rateLimitField = {
  description: 'Maximum number of deliveries that start per second. Further deliveries wait; none is lost. Default: no limit.',
  example: 50,
  min: 1,
  max: 1_000,
};
const includeDescendantsField = { description: 'Whether events of descendant organizations are sent, too.' };

/** Body of a request that creates a webhook. */
export class CreateWebhookRequest {
  @TextField(nameField) name?: string;
  @TextField({ ...urlField, required: true }) url!: string;
  @TextListField({ ...eventsField, required: true }) events!: string[];
  @BooleanField({ ...enabledField, default: true }) enabled?: boolean;
  @ExactTextField(secretField) secret?: string;
  @TextMapField(headersField) headers?: Record<string, string>;
  @BooleanField({ ...includeDescendantsField, default: false }) includeDescendants?: boolean;
  @JsonObjectField(filterField) filter?: PayloadFilter;
  @IntegerField(rateLimitField) rateLimit?: number;
}

/** Body of a request that updates a webhook; fields that are not sent stay unchanged. */
export class UpdateWebhookRequest {
  @TextField(nameField) name?: string;
  @TextField(urlField) url?: string;
  @TextListField(eventsField) events?: string[];
  @BooleanField(enabledField) enabled?: boolean;
  @ExactTextField({ ...secretField, description: 'New signing secret. Takes effect immediately.' }) secret?: string;
  @TextMapField({
    ...headersField,
    description:
      'Custom headers. Replaces all existing headers. A value that is sent back masked, as it was returned, stays unchanged.',
  })
  headers?: Record<string, string>;
  @BooleanField(includeDescendantsField) includeDescendants?: boolean;
  @JsonObjectField({ ...filterField, nullable: true, description: `${filterField.description} Null removes the filter.` })
  filter?: PayloadFilter | null;
  @IntegerField({
    ...rateLimitField,
    nullable: true,
    description:
      'Maximum number of deliveries that start per second. Further deliveries wait; none is lost. Null removes the limit.',
  })
  rateLimit?: number | null;
}

/** Body of a request that rotates a webhook's signing secret. */
export class RotateSecretRequest {
  @IntegerField({
    description:
      'Seconds until the new secret takes effect. Until then, the `<service>-signature` header is created with the current secret, and `webhook-signature` contains one signature for each secret.',
    min: 0,
    max: ACTIVATION_MAX_SECONDS,
    default: 0,
    example: 86_400,
  })
  activateInSeconds?: number;

  @ExactTextField({ ...secretField, description: 'New signing secret. Use at least 16 characters. Default: a random secret.' })
  secret?: string;
}
