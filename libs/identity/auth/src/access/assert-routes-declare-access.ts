import { type INestApplicationContext, RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { OWN_ACCOUNT, PUBLIC_ROUTE, REQUIRED_ACCESS } from '#platform/common';

/** The metadata key under which Nest's route decorators, such as `@Get()`, store the method. */
const ROUTE_METHOD = 'method';

/**
 * Asserts that each route declares exactly one of `@Requires`, `@OwnAccount` or `@Public`, on the handler or its class.
 * @throws Error with the names of the other handlers
 */
export function assertRoutesDeclareAccess(app: INestApplicationContext): void {
  const reflector = app.get(Reflector);
  const scanner = new MetadataScanner();
  const undeclared: string[] = [];
  const ambiguous: string[] = [];
  for (const { instance } of app.get(DiscoveryService).getControllers()) {
    const controller = instance as Record<string, () => unknown>;
    const type = controller.constructor;
    for (const name of scanner.getAllMethodNames(Object.getPrototypeOf(controller) as object)) {
      const handler = controller[name]!;
      const method = reflector.get<RequestMethod | undefined>(ROUTE_METHOD, handler);
      if (method === undefined) continue;
      const declared = [PUBLIC_ROUTE, OWN_ACCOUNT, REQUIRED_ACCESS].filter(
        (key) => reflector.getAllAndOverride<unknown>(key, [handler, type]) !== undefined,
      );
      if (declared.length === 0) undeclared.push(`${type.name}.${name}`);
      if (declared.length > 1) ambiguous.push(`${type.name}.${name}`);
    }
  }
  if (undeclared.length > 0)
    throw new Error(`These routes do not declare their access; add @Requires, @OwnAccount or @Public: ${undeclared.join(', ')}.`);
  if (ambiguous.length > 0)
    throw new Error(
      `These routes declare more than one kind of access on the handler and the class together: ${ambiguous.join(', ')}.`,
    );
}
