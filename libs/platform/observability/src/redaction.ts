import { types } from 'node:util';
import { LRUCache } from 'lru-cache';

const REDACTED = '[redacted]';
const MAX_DEPTH = 8;
const MAX_ITEMS = 100;

/** Names of fields whose values are never logged, at any depth. */
const SECRET_NAME =
  /authorization|cookie|passw|secret|token|credential|signature|api[-_]?key|private[-_]?key|^key$|_key$|Key$|Keys$|otp|recovery|dsn/i;

/** Names that match SECRET_NAME but are not secrets. */
const ALLOWED_NAME = /^(keyId|apiKeyId|key_id|tokenId|idempotencyKey)$/;

/** Credentials in texts. The patterns exclude quotes and backslashes, so that a JSON line stays valid. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${REDACTED}`],
  [/\b([a-z][a-z0-9-]{0,39}_sk_)[0-9A-Za-z]{20,}/g, `$1${REDACTED}`],
  [/\bwhsec_[\w+/=-]+/g, `whsec_${REDACTED}`],
  [/(:\/\/[^\s"\\/:@]{0,256}:)[^\s"\\/@]{1,256}@/g, `$1${REDACTED}@`],
  [/([?&](?:token|code|key|secret|password|state)=)[^\s"\\&]+/gi, `$1${REDACTED}`],
];

/** Replaces credentials in a text: bearer tokens, API keys, webhook secrets, passwords and tokens in URLs. */
export function redactText(text: string): string {
  return SECRET_TEXTS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), text);
}

/**
 * Returns a copy of log fields, up to a depth of 8, without the values of secret fields. Errors keep only type, message, code, stack and
 * cause, because other fields, such as statement parameters, can contain personal data.
 */
export function redactFields(fields: Record<string, unknown>): Record<string, unknown> {
  return redactRecord(fields, 0, new Set());
}

function redactRecord(record: object, depth: number, ancestors: Set<object>): Record<string, unknown> {
  const redacted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record))
    redacted[name] = isSecretName(name) ? redactedValue(value) : redact(value, depth, ancestors);
  return redacted;
}

function redact(value: unknown, depth: number, ancestors: Set<object>): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (ancestors.has(value)) return '[circular]';

  ancestors.add(value);
  const redacted = redactObject(value, depth + 1, ancestors);
  ancestors.delete(value);
  return redacted;
}

function redactObject(value: object, depth: number, ancestors: Set<object>): unknown {
  if (isError(value)) return describeError(value, depth, ancestors);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((entry) => redact(entry, depth, ancestors));
  // `toJSON` defines which fields of a class can be logged.
  if ('toJSON' in value && typeof value.toJSON === 'function') return redact((value.toJSON as () => unknown)(), depth, ancestors);
  return redactRecord(value, depth, ancestors);
}

function describeError(error: Error, depth: number, ancestors: Set<object>): Record<string, unknown> {
  const described: Record<string, unknown> = { type: error.name, message: error.message, stack: error.stack };
  if ('code' in error) described.code = redact(error.code, depth, ancestors);
  if (error.cause !== undefined) described.cause = redact(error.cause, depth, ancestors);
  return described;
}

/** Results of `isSecretName`. Most lines have the same few names. The cache is limited, because callers can send any names. */
const cachedNames = new LRUCache<string, boolean>({ max: 1_000 });

function isSecretName(name: string): boolean {
  const cached = cachedNames.get(name);
  if (cached !== undefined) return cached;
  const isSecret = SECRET_NAME.test(name) && !ALLOWED_NAME.test(name);
  cachedNames.set(name, isSecret);
  return isSecret;
}

/** Replaces a secret. Does not replace missing values and booleans. */
function redactedValue(value: unknown): unknown {
  return value === undefined || value === null || typeof value === 'boolean' ? value : REDACTED;
}

/** Returns whether a value is an error, including errors of other realms such as VM contexts. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}
