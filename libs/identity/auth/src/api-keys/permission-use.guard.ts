import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { REQUIRED_ACCESS, type RequiredAccess } from '#platform/common';
import { requestOf } from '#platform/http';
import { ApiKeyUsageService } from './api-key-usage.service.js';

/**
 * Records which permission a request with an API key needed, after the other guards have accepted the request. Rejects nothing: it is a
 * guard because an interceptor on every route costs 10 % of the CPU time of a request in NestJS and RxJS.
 */
@Injectable()
export class PermissionUseGuard implements CanActivate {
  private readonly permissions = new WeakMap<object, string | null>();

  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeyUsage: ApiKeyUsageService,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { kind, tenantId, id } = requestOf(context).context.caller;
    const permission = kind === 'key' ? this.readPermission(context) : null;
    if (permission !== null && tenantId && id) this.apiKeyUsage.recordPermissionUse({ tenantId, id }, permission);
    return true;
  }

  /** Reads `@Requires` of the handler, or else of its class, once for each handler. */
  private readPermission(context: ExecutionContext): string | null {
    const handler = context.getHandler();
    const known = this.permissions.get(handler);
    if (known !== undefined) return known;
    const access = this.reflector.getAllAndOverride<RequiredAccess | undefined>(REQUIRED_ACCESS, [handler, context.getClass()]);
    const permission = access?.permission ?? null;
    this.permissions.set(handler, permission);
    return permission;
  }
}
