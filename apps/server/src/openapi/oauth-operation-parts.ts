import type { OAuthField } from './oauth-fields.js';

export type Part = Record<string, unknown>;

export const OAUTH_TAG = 'OAuth endpoints';

export const reference = (name: string): Part => ({ $ref: `#/components/schemas/${name}` });
export const json = (description: string, schema: string): Part => ({
  description,
  content: { 'application/json': { schema: reference(schema) } },
});
export const page = (description: string): Part => ({ description, content: { 'text/html': { schema: { type: 'string' } } } });
export const redirect = (description: string): Part => ({
  description,
  headers: { Location: { description: 'Where to continue.', schema: { type: 'string' } } },
});

const LIMITED = json('Too many requests from this IP address (`temporarily_unavailable`).', 'OAuthErrorResponse');
const header = (name: string): Part => ({ [name]: { $ref: `#/components/headers/${name}` } });
const RETRY_AFTER = header('Retry-After');
export const RATE_LIMIT = { ...header('RateLimit'), ...header('RateLimit-Policy') };

/** The errors that every endpoint has. */
const COMMON = {
  429: { ...LIMITED, headers: { ...RATE_LIMIT, ...RETRY_AFTER } },
  500: json('The service failed (`server_error`).', 'OAuthErrorResponse'),
  503: {
    ...json('The service is overloaded or its database does not respond (`temporarily_unavailable`).', 'OAuthErrorResponse'),
    headers: RETRY_AFTER,
  },
};

export const INVALID_CLIENT = json(
  'The client is unknown, disabled or expired, did not authenticate, or called from a network that it does not allow (`invalid_client`).',
  'OAuthErrorResponse',
);

/** HTTP Basic authentication, or the fields of the form. */
export const CLIENT_SECURITY = [{ clientSecretBasic: [] }, {}];

export const HOW_CLIENTS_AUTHENTICATE = `
The client authenticates as its \`authentication\` says: with \`client_secret_basic\`, HTTP Basic authentication; with \`client_secret_post\`, \`client_id\` and \`client_secret\`; with \`private_key_jwt\`, \`client_assertion\` and \`client_assertion_type\`; with \`none\`, only \`client_id\`.`;

export function operation(operationId: string, summary: string, description: string, rest: Part & { responses: Part }): Part {
  const { responses, ...other } = rest;
  const success = responses['200'] as Part | undefined;
  const limited = success && { 200: { ...success, headers: RATE_LIMIT } };
  const all = { ...responses, ...limited, ...COMMON };
  return { operationId, summary, description, tags: [OAUTH_TAG], security: [], ...other, responses: all };
}

export const parametersOf = (fields: readonly OAuthField[]): Part[] =>
  fields.map(({ name, description, required = false, schema }) => ({ name, in: 'query', required, description, schema }));

export function formOf(fields: readonly OAuthField[]): Part {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const properties = Object.fromEntries(fields.map(({ name, description, schema }) => [name, { ...schema, description }]));
  const schema = { type: 'object', ...(required.length > 0 ? { required } : {}), properties };
  return { required: required.length > 0, content: { 'application/x-www-form-urlencoded': { schema } } };
}
