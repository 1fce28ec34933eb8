import { type INestApplicationContext, RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { OWN_ACCOUNT, PUBLIC_ROUTE, REQUIRED_ACCESS } from '#platform/common';

/** Where Nest's route decorators (`@Get()` and so on) leave the method of a handler. */
const ROUTE_METHOD = 'method';

/**
 * Checks that each route says who may call it, with one of `@Requires`, `@OwnAccount` or `@Public` on the handler or its class.
 * @throws Error naming all handlers that do not, or that say two things.
 */
export function assertRoutesDeclareAccess(app: INestApplicationContext): void {
  const reflector = app.get(Reflector);
  const scanner = new MetadataScanner();
  const silent: string[] = [];
  const torn: string[] = [];
  for (const { instance } of app.get(DiscoveryService).getControllers()) {
    const controller = instance as Record<string, () => unknown> | undefined;
    if (!controller) continue;
    const type = controller.constructor;
    for (const name of scanner.getAllMethodNames(Object.getPrototypeOf(controller) as object)) {
      const handler = controller[name]!;
      const method = reflector.get<RequestMethod | undefined>(ROUTE_METHOD, handler);
      if (method === undefined) continue;
      const declared = [PUBLIC_ROUTE, OWN_ACCOUNT, REQUIRED_ACCESS].filter(
        (key) => reflector.getAllAndOverride<unknown>(key, [handler, type]) !== undefined,
      );
      if (declared.length === 0) silent.push(`${type.name}.${name}`);
      if (declared.length > 1) torn.push(`${type.name}.${name}`);
    }
  }
  if (silent.length > 0)
    throw new Error(`These routes do not declare their access; add @Requires, @OwnAccount or @Public: ${silent.join(', ')}.`);
  if (torn.length > 0)
    throw new Error(
      `These routes declare more than one kind of access on the handler and the class together: ${torn.join(', ')}.`,
    );
}
