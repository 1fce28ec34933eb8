export { generateApiKey, parseApiKey } from './api-key.js';
export { CryptoModule } from './crypto.module.js';
export { HashingOverloaded, hashingLimits, isHashable, MAX_PASSWORD_BYTES, PasswordHasher } from './password-hasher.js';
export { MAX_PASSWORD_HASH_LENGTH, readPasswordHash } from './password-formats/index.js';
export { SecretSealer, SecretUnreadable } from './secret-sealer.js';
export { loadOrCreateSecretsKey, secretsKeyPath } from './secrets-key-file.js';
export { constantTimeEqual, hashToken, randomToken } from './tokens.js';
export { ConcurrencyLimiter, type ConcurrencyLimits, QueueFull } from './concurrency-limiter.js';
export { WEBHOOK_SECRET_PREFIX } from './webhook-secret-prefix.js';
