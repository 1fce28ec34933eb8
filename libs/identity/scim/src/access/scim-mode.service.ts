import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { ScimActivationService, ScimConnectionsService, ScimConnectionStopped, type ScimMode } from '#directory/scim-connections';
import { connectionOf } from './scim-connection.js';

/** Rejects changes when the mode of the connection is no longer the one with which the request was authenticated. */
@Injectable()
export class ScimModeService {
  constructor(
    private readonly connections: ScimConnectionsService,
    private readonly activation: ScimActivationService,
  ) {}

  /** @throws ScimConnectionStopped (503), ResourceNotFound (404) when the connection is deleted */
  async assertUnchanged(ctx: RequestContext): Promise<void> {
    this.compare(ctx, (await this.connections.get(ctx, connectionOf(ctx).id)).mode);
  }

  /** Locks the mode until the transaction ends. @throws ScimConnectionStopped (503) */
  async lockUnchanged(ctx: RequestContext): Promise<void> {
    this.compare(ctx, await this.activation.lockMode(ctx, connectionOf(ctx).id));
  }

  private compare({ caller }: RequestContext, mode: ScimMode | undefined): void {
    if (mode !== caller.scim?.mode) throw new ScimConnectionStopped();
  }
}
