const REFERENCE = /^\$\{([A-Z_][A-Z0-9_]*)\}$/;
/** The fields with secrets. All values of an object with such a name are secrets. */
const SECRETS = new Set(['secret', 'clientSecret', 'headers']);

/** Returns a copy of a document in which references such as `${BILLING_SECRET}` are replaced by variables that are set. */
export function resolveReferences(value: unknown, environment: NodeJS.ProcessEnv, isSecret = false): unknown {
  if (typeof value === 'string') return isSecret ? (environment[REFERENCE.exec(value)?.[1] ?? ''] ?? value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, environment));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, resolveReferences(inner, environment, isSecret || SECRETS.has(name))]),
  );
}
