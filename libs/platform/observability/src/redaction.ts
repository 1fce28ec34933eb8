import { types } from 'node:util';
import { LRUCache } from 'lru-cache';

const REDACTED = '[redacted]';
const DEEPEST = 8;
const LONGEST_LIST = 100;

/** Names of fields whose values never reach a log, whatever their case and wherever they stand. */
const SECRET_NAME =
  /authorization|cookie|passw|secret|token|credential|signature|api[-_]?key|private[-_]?key|^key$|_key$|Key$|Keys$|otp|recovery|dsn/i;

/** Names that the rule above would take for secrets, but which help whoever reads the log. */
const HARMLESS_NAME = /^(keyId|apiKeyId|key_id|tokenId|idempotencyKey)$/;

/** What looks like a credential inside a text. None of these matches a quote or backslash, so that a JSON line stays one. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${REDACTED}`],
  [/\b([a-z][a-z0-9-]{0,39}_sk_)[0-9A-Za-z]{20,}/g, `$1${REDACTED}`],
  [/\bwhsec_[\w+/=-]+/g, `whsec_${REDACTED}`],
  [/(:\/\/[^\s"\\/:@]{0,256}:)[^\s"\\/@]{1,256}@/g, `$1${REDACTED}@`],
  [/([?&](?:token|code|key|secret|password|state)=)[^\s"\\&]+/gi, `$1${REDACTED}`],
];

/** Hides credentials that stand inside a text: bearer tokens, API keys, webhook secrets, passwords and tokens in URLs. */
export function redactText(text: string): string {
  return SECRET_TEXTS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), text);
}

/**
 * A copy of log fields without the values of fields that are named like secrets, at any depth up to 8.
 * Errors become type, message, code, stack and cause: their other fields (a database driver's parameters and
 * details, for example) hold people's data.
 */
export function redactFields(fields: Record<string, unknown>): Record<string, unknown> {
  return redactRecord(fields, 0, new Set());
}

function redactRecord(record: object, depth: number, above: Set<object>): Record<string, unknown> {
  const redacted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record))
    redacted[name] = isSecretName(name) ? hidden(value) : redact(value, depth, above);
  return redacted;
}

function redact(value: unknown, depth: number, above: Set<object>): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
  if (depth >= DEEPEST) return '[deeper]';
  if (above.has(value)) return '[circular]';

  above.add(value);
  const redacted = redactObject(value, depth + 1, above);
  above.delete(value);
  return redacted;
}

function redactObject(value: object, depth: number, above: Set<object>): unknown {
  if (isError(value)) return describeError(value, depth, above);
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map((entry) => redact(entry, depth, above));
  // A class that knows what of itself may be shown says so there.
  if ('toJSON' in value && typeof value.toJSON === 'function') return redact((value.toJSON as () => unknown)(), depth, above);
  return redactRecord(value, depth, above);
}

function describeError(error: Error, depth: number, above: Set<object>): Record<string, unknown> {
  const described: Record<string, unknown> = { type: error.name, message: error.message, stack: error.stack };
  if ('code' in error) described.code = redact(error.code, depth, above);
  if (error.cause !== undefined) described.cause = redact(error.cause, depth, above);
  return described;
}

/** Lines have the same few names over and over; those of what callers send are without end. */
const judgedNames = new LRUCache<string, boolean>({ max: 1_000 });

function isSecretName(name: string): boolean {
  const known = judgedNames.get(name);
  if (known !== undefined) return known;
  const isSecret = SECRET_NAME.test(name) && !HARMLESS_NAME.test(name);
  judgedNames.set(name, isSecret);
  return isSecret;
}

/** Whether a secret was there at all may matter; nothing else about it does. */
function hidden(value: unknown): unknown {
  return value === undefined || value === null || typeof value === 'boolean' ? value : REDACTED;
}

/** Also for errors of another realm, such as those that Node makes for code in a `vm`. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}
