import { LIST_SCHEMA_ID, MAX_RESULTS } from './lists.js';
import type { ResourceType, Schema } from './attributes.js';
import type { ScimObject } from './resource.js';
import { RESOURCE_TYPES } from './schemas.js';

export const MAX_BULK_OPERATIONS = 1_000;
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Returns what the service supports (RFC 7643, section 5). */
export const serviceProviderConfig = (base: string, documentation: string): ScimObject => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: documentation,
  patch: { supported: true },
  bulk: { supported: true, maxOperations: MAX_BULK_OPERATIONS, maxPayloadSize: MAX_BODY_BYTES },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  pagination: { cursor: true, index: true, defaultPaginationMethod: 'index', defaultPageSize: 100, maxPageSize: MAX_RESULTS },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of the connection in the header "Authorization: Bearer <token>".',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

export const resourceTypeDocument = ({ name, endpoint, schema, extension }: ResourceType, base: string): ScimObject => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  description: schema.description,
  endpoint,
  schema: schema.id,
  schemaExtensions: extension ? [{ schema: extension.id, required: false }] : [],
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
});

export const schemaDocument = ({ id, name, description, attributes }: Schema, base: string): ScimObject => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  description,
  attributes,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
});

export const SCHEMAS: readonly Schema[] = RESOURCE_TYPES.flatMap(({ schema, extension }) =>
  extension ? [schema, extension] : [schema],
);

/** Returns a complete list, for documents that have no pages. */
export const listOf = (resources: readonly ScimObject[]): ScimObject => ({
  schemas: [LIST_SCHEMA_ID],
  totalResults: resources.length,
  itemsPerPage: resources.length,
  startIndex: 1,
  Resources: resources,
});
