export { FlaggedKeys } from './flagged-keys.js';
export { ACCESS_CHANGED_CHANNEL } from './key-lookups.js';
export { PlatformKeys } from './platform-keys.js';
