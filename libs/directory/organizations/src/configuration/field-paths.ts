/** Objects whose fields are compared one by one. */
const OBJECTS = new Set(['settings', 'settings.passwordPolicy', 'branding']);

type Paths = Readonly<Record<string, unknown>>;

/** Returns the values by path, such as `settings.passwordPolicy.minLength`. Ignores undefined values. */
export function pathsOf(values: object, prefix = ''): Paths {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
      const path = `${prefix}${name}`;
      const isObject = OBJECTS.has(path) && typeof value === 'object' && value !== null;
      if (isObject) return Object.entries(pathsOf(value as object, `${path}.`));
      return value === undefined ? [] : [[path, value]];
    }),
  );
}

/**
 * Returns what a document wants by path. `null` for an object means `null` for its stored fields. With `prune`, this is also true for stored
 * fields that an object of the document does not contain.
 */
export function wantedPaths(wanted: object, stored: Paths, prune: boolean): Paths {
  const paths: Record<string, unknown> = { ...pathsOf(wanted) };
  for (const path of Object.keys(stored)) {
    if (path in paths || !path.includes('.')) continue;
    const isInNull = [...OBJECTS].some((object) => path.startsWith(`${object}.`) && paths[object] === null);
    const isInDocument = (wanted as Paths)[path.split('.')[0]!] !== undefined;
    if (isInNull || (prune && isInDocument)) paths[path] = null;
  }
  return Object.fromEntries(Object.entries(paths).filter(([path]) => !OBJECTS.has(path)));
}

/** Returns the object with these values by path. */
export function fromPaths(paths: Paths): object {
  const result: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(paths)) {
    const names = path.split('.');
    const last = names.pop()!;
    let target = result;
    for (const name of names) target = (target[name] ??= {}) as Record<string, unknown>;
    target[last] = value;
  }
  return result;
}
