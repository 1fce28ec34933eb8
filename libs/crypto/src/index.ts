export { type ApiKeyParts, generateApiKey, type GeneratedApiKey, parseApiKey } from './api-key.js';
export { CryptoModule } from './crypto.module.js';
export { SecretSealer, SecretUnreadable } from './secret-sealer.js';
export { loadOrCreateSecretsKey } from './secrets-key-file.js';
export { constantTimeEqual, hashToken, randomToken } from './tokens.js';
