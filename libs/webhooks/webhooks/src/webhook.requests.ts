import { OmitType } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  ExactTextField,
  IntegerField,
  JsonObjectField,
  TextField,
  TextListField,
  TextMapField,
} from '#platform/http';
import { SUBSCRIPTIONS } from '#platform/events';
import { URL_MAX_LENGTH } from '#platform/outbound';
import { EVENT_FORMATS, FORMAT_NAMES, type FormatName, SERVICE_FORMAT } from '#webhooks/formats';
import { HEADER_VALUE, HEADER_VALUE_MAX_LENGTH } from './custom-headers.js';
import { filterProblem, type PayloadFilter } from './payload-filter.js';
import { SECRET_MAX_LENGTH } from './signing-secret.js';

const HEADERS_MAX = 20;
const EVENTS_EXAMPLE = ['user.created', 'organization.*'];

const nameField = { description: 'Display name.', example: 'Billing', maxLength: 200 };
const urlField = {
  description:
    'URL to which events are sent. It must be an `https` URL that is reachable from the public internet. Characters that are not allowed in a URI are stored percent-encoded, and an international host name is stored in Punycode.',
  example: 'https://example.com/hooks',
  maxLength: URL_MAX_LENGTH,
  format: 'uri',
};
const formatField = {
  description: `Format in which events are sent. \`${SERVICE_FORMAT}\`: the event as JSON, as in this reference. ${EVENT_FORMATS.map(({ name, description }) => `\`${name}\`: ${description}.`).join(' ')} The signatures in the headers belong to the sent body.`,
  choices: FORMAT_NAMES,
  example: SERVICE_FORMAT,
};
const eventsField = {
  description: 'Event types to send: single types, groups such as `user.*`, or `*` for all types except `webhook.*`.',
  example: EVENTS_EXAMPLE,
  minItems: 1,
  item: { maxLength: 64 },
  choices: SUBSCRIPTIONS,
};
const enabledField = {
  description:
    'Whether the service sends events to the webhook. If you set this field to false, the service sends nothing, and new deliveries get the status `skipped`.',
};
const secretField = {
  description: 'Signing secret. At least 16 characters are recommended. Default: a random secret.',
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
  findError: () => undefined,
};
const filterField = {
  description:
    'Condition on the `data` of events. Only events that match the condition are sent. Each key is the path of a field, such as `metadata.plan`. Each value is the expected value of the field, or an object with operators: `$eq`, `$ne`, `$in`, `$nin`, `$gt`, `$gte`, `$lt`, `$lte`, `$exists`, `$size`, `$all` and `$not`. To combine several conditions, use `$and`, `$or` and `$nor`. The filter can have at most 4 KB and 5 levels.',
  example: { 'metadata.plan': { $in: ['pro', 'team'] } },
  findError: filterProblem,
};
const rateLimitField = {
  description:
    'Maximum number of delivery attempts that start per second. Further attempts wait, and no delivery is lost. Default: no limit.',
  example: 50,
  min: 1,
  max: 1_000,
};
const includeDescendantsField = { description: 'Whether events of descendant organizations are sent, too.' };

export class CreateWebhookRequest {
  @TextField({ ...nameField, description: 'Display name. Default: the host of the URL.' }) name?: string;
  @TextField({ ...urlField, required: true }) url!: string;
  @ChoiceField({ ...formatField, default: SERVICE_FORMAT }) format?: FormatName;
  @TextListField({ ...eventsField, required: true }) events!: string[];
  @BooleanField({ ...enabledField, default: true }) enabled?: boolean;
  @ExactTextField(secretField) secret?: string;
  @TextMapField(headersField) headers?: Record<string, string>;
  @BooleanField({ ...includeDescendantsField, default: false }) includeDescendants?: boolean;
  @JsonObjectField(filterField) filter?: PayloadFilter;
  @IntegerField(rateLimitField) rateLimit?: number;
}

/** Absent fields keep their values. */
export class UpdateWebhookRequest {
  @TextField(nameField) name?: string;
  @TextField(urlField) url?: string;
  @ChoiceField(formatField) format?: FormatName;
  @TextListField(eventsField) events?: string[];
  @BooleanField(enabledField) enabled?: boolean;
  @ExactTextField({ ...secretField, description: 'New signing secret. Takes effect immediately.' }) secret?: string;
  @TextMapField({
    ...headersField,
    description:
      'Custom headers that are sent with each delivery. They replace all existing custom headers. To keep the value of a header, send the masked value that the service returned (`********`).',
  })
  headers?: Record<string, string>;
  @BooleanField(includeDescendantsField) includeDescendants?: boolean;
  @JsonObjectField({ ...filterField, nullable: true, description: `${filterField.description} \`null\` removes the filter.` })
  filter?: PayloadFilter | null;
  @IntegerField({
    ...rateLimitField,
    nullable: true,
    description:
      'Maximum number of delivery attempts that start per second. Further attempts wait, and no delivery is lost. `null` removes the limit.',
  })
  rateLimit?: number | null;
}

/** A webhook in the configuration of an organization. */
export class WebhookConfiguration extends OmitType(UpdateWebhookRequest, [
  'name',
  'url',
  'events',
  'secret',
  'headers',
] as const) {
  @TextField({ ...nameField, required: true }) name!: string;
  @TextField({ ...urlField, required: true }) url!: string;
  @TextListField({ ...eventsField, required: true }) events!: string[];
  @ExactTextField({
    description:
      'Signing secret of a new webhook; without it, a random secret. Documents have a reference such as `${BILLING_SECRET}`, which the command line replaces. The secret of an existing webhook does not change.',
    example: '${BILLING_SECRET}',
    maxLength: SECRET_MAX_LENGTH,
  })
  secret?: string;
  @TextMapField({
    ...headersField,
    description:
      'Custom headers that are sent with each delivery, with references as values. Only new headers get a value. Headers that are not listed are removed.',
    example: { authorization: '${BILLING_AUTHORIZATION}' },
  })
  headers?: Record<string, string>;
}

export class RotateSecretRequest {
  @IntegerField({
    description:
      'Number of seconds until the new secret takes effect. Until then, the header `<service>-signature` contains a signature with the current secret. The header `webhook-signature` contains two signatures: one with the current secret and one with the new secret. `<service>` is the name of the service, by default `service`.',
    min: 0,
    max: ACTIVATION_MAX_SECONDS,
    default: 0,
    example: 86_400,
  })
  activateInSeconds?: number;

  @ExactTextField({
    ...secretField,
    description: 'New signing secret. At least 16 characters are recommended. Default: a random secret.',
  })
  secret?: string;
}
