export { ApiKeyOwnerCheckService } from './api-key-owner-check.service.js';
export { ACCESS_CHANGED_CHANNEL } from './api-key-lookup.service.js';
export { PlatformKeysService } from './platform-keys.service.js';
export { ValidApiKeysQuery } from './valid-api-keys.query.js';
