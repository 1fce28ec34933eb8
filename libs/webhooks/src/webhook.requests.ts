import { BooleanField, ExactTextField, IntegerField, JsonObjectField, TextField, TextListField, TextMapField } from '#http';
import { SUBSCRIPTIONS } from '#events';
import { URL_MAX_LENGTH } from '#outbound';
import { HEADER_VALUE, HEADER_VALUE_MAX_LENGTH } from './custom-headers.js';
import { filterProblem, type PayloadFilter } from './payload-filter.js';
import { SECRET_MAX_LENGTH } from './signing-secret.js';

const HEADERS_MAX = 20;
const EVENTS_EXAMPLE = ['user.created', 'organization.*'];

const nameField = { description: "What people call it. Default: the URL's host.", example: 'Billing', maxLength: 200 };
const urlField = {
  description:
    'Where deliveries go: an https address that is reachable from the public internet. Letters that no URI has are kept in their ASCII form.',
  example: 'https://example.com/hooks',
  maxLength: URL_MAX_LENGTH,
  format: 'uri',
};
const eventsField = {
  description: 'Which events to send: types, groups such as `user.*`, or `*` for all but `webhook.*`.',
  example: EVENTS_EXAMPLE,
  minItems: 1,
  maxItems: SUBSCRIPTIONS.length,
  item: { maxLength: 64 },
  choices: SUBSCRIPTIONS,
};
const enabledField = { description: 'Whether events are sent. While it is off, events are recorded as skipped.' };
const secretField = {
  description: 'Signs every delivery. Default: a random one. Choose at least 16 characters.',
  example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  maxLength: SECRET_MAX_LENGTH,
};

/** How long a secret may take to be replaced, in seconds. */
const ACTIVATION_MAX_SECONDS = 30 * 86_400;

const headersField = {
  description: 'Headers sent with each delivery, such as credentials for the destination. Kept encrypted.',
  example: { authorization: 'Bearer 7f3a29c1e5' },
  maxKeys: HEADERS_MAX,
  value: { maxLength: HEADER_VALUE_MAX_LENGTH, pattern: HEADER_VALUE },
  complaintAbout: () => undefined,
};
const filterField = {
  description:
    'Sends only events whose `data` meets this condition: fields by their paths, with values or the operators `$eq`, `$ne`, `$in`, `$nin`, `$gt`, `$gte`, `$lt`, `$lte`, `$exists`, `$size`, `$all` and `$not`; conditions combined by `$and`, `$or`, `$nor`. At most 4 KB and 5 levels.',
  example: { 'metadata.plan': { $in: ['pro', 'team'] } },
  complaintAbout: filterProblem,
};
const rateLimitField = {
  description: 'How many deliveries a second may be begun. The others wait; nothing is lost. Default: no limit.',
  example: 50,
  min: 1,
  max: 1_000,
};
const includeDescendantsField = { description: 'Whether events of the organizations below are sent, too.' };

/** What to make a webhook of. */
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

/** What of a webhook to change; the rest stays. */
export class UpdateWebhookRequest {
  @TextField(nameField) name?: string;
  @TextField(urlField) url?: string;
  @TextListField(eventsField) events?: string[];
  @BooleanField(enabledField) enabled?: boolean;
  @ExactTextField({ ...secretField, description: 'Another secret, in force at once.' }) secret?: string;
  @TextMapField({
    ...headersField,
    description: 'Replaces all headers. A value sent back masked, as it was shown, stays as it is.',
  })
  headers?: Record<string, string>;
  @BooleanField(includeDescendantsField) includeDescendants?: boolean;
  @JsonObjectField({ ...filterField, nullable: true, description: `${filterField.description} Null takes it away.` })
  filter?: PayloadFilter | null;
  @IntegerField({
    ...rateLimitField,
    nullable: true,
    description: 'How many deliveries a second may be begun. The others wait; nothing is lost. Null takes the limit away.',
  })
  rateLimit?: number | null;
}

/** How to replace a webhook's secret. */
export class RotateSecretRequest {
  @IntegerField({
    description:
      "When the new secret takes over, in seconds from now. Until then the old one makes the service's own signature, and `webhook-signature` holds a signature by each.",
    min: 0,
    max: ACTIVATION_MAX_SECONDS,
    default: 0,
    example: 86_400,
  })
  activateInSeconds?: number;

  @ExactTextField({ ...secretField, description: 'The new secret. Default: a random one. Choose at least 16 characters.' })
  secret?: string;
}
