export { type Attribute, COMMON_ATTRIBUTES, type ResourceType } from './protocol/attributes.js';
export { RESOURCE_TYPES } from './protocol/schemas.js';
export type { ScimSchemaName } from './openapi.js';
export { ScimModule } from './scim.module.js';
