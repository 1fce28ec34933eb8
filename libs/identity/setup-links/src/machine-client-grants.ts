import { Injectable } from '@nestjs/common';
import type { Grant, RequestContext } from '#platform/common';

type ListGrants = (ctx: RequestContext, clientId: string) => Promise<Grant[]>;

/** Port: what machine clients still grant, for setup links that they created. The OAuth library, which imports this library, registers. */
@Injectable()
export class MachineClientGrants {
  private list?: ListGrants;

  register(list: ListGrants): void {
    this.list = list;
  }

  /** Returns nothing if the client does not exist or is not active. */
  async listGrants(ctx: RequestContext, clientId: string): Promise<Grant[]> {
    return this.list?.(ctx, clientId) ?? [];
  }
}
