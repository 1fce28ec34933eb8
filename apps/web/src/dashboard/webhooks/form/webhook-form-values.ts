import type { FormErrors } from '@mantine/form';
import { splitErrors } from '../../../api/form-errors';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import type { EventFormat } from './format-field';
import type { Webhook } from '../webhook-queries';
import { validateFilter } from './validate-filter';

/** The mask of a header value. The API keeps the saved value if a request contains the mask. */
export const MASKED_VALUE = '********';
const SECRET_MIN_LENGTH = 16;
const FIELDS_WITH_ERRORS = new Set(['name', 'url', 'format', 'events', 'includeDescendants', 'filter', 'rateLimit', 'secret']);

export interface HeaderValue {
  readonly key: string;
  readonly name: string;
  /** The new value. Empty for an existing header that keeps its value. */
  readonly value: string;
  /** The saved name of an existing header. */
  readonly savedName?: string;
}

export interface WebhookFormValues {
  name: string;
  url: string;
  format: EventFormat;
  events: string[];
  includeDescendants: boolean;
  headers: HeaderValue[];
  /** JSON; empty without a filter. */
  filter: string;
  rateLimit: number | '';
  /** Undefined when the service generates the secret. */
  secret: string | undefined;
}

export const EMPTY_WEBHOOK: WebhookFormValues = {
  name: '',
  url: '',
  format: 'service',
  events: [],
  includeDescendants: false,
  headers: [],
  filter: '',
  rateLimit: '',
  secret: undefined,
};

export const valuesOf = (webhook: Webhook): WebhookFormValues => ({
  name: webhook.name,
  url: webhook.url,
  format: webhook.format,
  events: [...webhook.events],
  includeDescendants: webhook.includeDescendants,
  headers: Object.keys(webhook.headers).map((name) => ({ key: name, name, value: '', savedName: name })),
  filter: webhook.filter ? JSON.stringify(webhook.filter, undefined, 2) : '',
  rateLimit: webhook.rateLimit ?? '',
  secret: undefined,
});

/** Returns the validation errors by field. */
export function validateWebhook(values: WebhookFormValues): FormErrors {
  const found: FormErrors = {};
  if (!URL.canParse(values.url) || !/^https?:/.test(values.url)) found['url'] = t('webhookForm.urlInvalid');
  if (values.events.length === 0) found['events'] = t('webhookForm.eventsNone');
  const filter = validateFilter(values.filter);
  if (filter) found['filter'] = filter;
  if (values.secret !== undefined && values.secret.length < SECRET_MIN_LENGTH) found['secret'] = t('webhookForm.secretTooShort');
  values.headers.forEach(({ name, value, savedName }, index) => {
    const isDuplicate = values.headers.some((other, at) => at < index && other.name.toLowerCase() === name.toLowerCase());
    if (name === '') found[`headers.${index}.name`] = t('webhookForm.headerNameMissing');
    else if (isDuplicate) found[`headers.${index}.name`] = t('webhookForm.headerTwice');
    else if (value === '' && savedName !== undefined && savedName !== name)
      found[`headers.${index}.value`] = t('webhookForm.headerValueMissing');
  });
  return found;
}

export function createRequest(values: WebhookFormValues): Schema<'CreateWebhookRequest'> {
  const { url, format, events, includeDescendants, name, secret, rateLimit } = values;
  return {
    url,
    format,
    events: events as Schema<'CreateWebhookRequest'>['events'],
    includeDescendants,
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(secret === undefined ? {} : { secret }),
    ...(rateLimit === '' ? {} : { rateLimit }),
    ...(values.filter.trim() === '' ? {} : { filter: JSON.parse(values.filter) as Record<string, never> }),
    ...(values.headers.length === 0 ? {} : { headers: headersOf(values) }),
  };
}

/** Returns only the changed fields, so that concurrent changes of other fields are kept. */
export function updateRequest(before: WebhookFormValues, values: WebhookFormValues): Schema<'UpdateWebhookRequest'> {
  const changed = (name: keyof WebhookFormValues) => JSON.stringify(before[name]) !== JSON.stringify(values[name]);
  return {
    ...(changed('name') && values.name.trim() !== '' ? { name: values.name.trim() } : {}),
    ...(changed('url') ? { url: values.url } : {}),
    ...(changed('format') ? { format: values.format } : {}),
    ...(changed('events') ? { events: values.events as Schema<'CreateWebhookRequest'>['events'] } : {}),
    ...(changed('includeDescendants') ? { includeDescendants: values.includeDescendants } : {}),
    ...(changed('rateLimit') ? { rateLimit: values.rateLimit === '' ? null : values.rateLimit } : {}),
    ...(changed('filter')
      ? { filter: values.filter.trim() === '' ? null : (JSON.parse(values.filter) as Record<string, never>) }
      : {}),
    ...(changed('headers') ? { headers: headersOf(values) } : {}),
  };
}

const headersOf = ({ headers }: WebhookFormValues): Record<string, string> =>
  Object.fromEntries(
    headers.map(({ name, value, savedName }) => [name, value === '' && savedName === name ? MASKED_VALUE : value]),
  );

/** Splits an error for the form. Errors inside a header or the filter belong to its field. */
export function webhookErrors(error: unknown, { headers, secret }: WebhookFormValues): ReturnType<typeof splitErrors> {
  return splitErrors(error, (field) => {
    const [name = '', ...rest] = field.split('.');
    if (name === 'secret' && secret === undefined) return undefined;
    if (name !== 'headers') return FIELDS_WITH_ERRORS.has(name) ? name : undefined;
    const index = headers.findIndex((header) => header.name.toLowerCase() === rest.join('.').toLowerCase());
    return index < 0 ? 'headers' : `headers.${index}.value`;
  });
}
