import type { ExecutionContext } from '@nestjs/common';

/** Returns a function that calls `read` once for each handler. For the decorators of a handler, which never change. */
export function oncePerHandler<T>(read: (context: ExecutionContext) => T): (context: ExecutionContext) => T {
  const results = new WeakMap<object, { readonly value: T }>();
  return (context) => {
    const handler = context.getHandler();
    const known = results.get(handler);
    // Stryker disable next-line ConditionalExpression: reading again has the same result and takes longer
    if (known) return known.value;
    const value = read(context);
    results.set(handler, { value });
    return value;
  };
}
