import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { GainAuthorization, LossAuthorization } from '#directory/privileges';
import { IsNull, Repository } from 'typeorm';
import type { ScimConnection } from './scim-connection.entity.js';
import { ScimToken } from './scim-token.entity.js';

type ConnectionKey = Pick<ScimConnection, 'tenantId' | 'id'>;

@Injectable()
export class ScimTokenRepository extends BaseRepository<ScimToken> {
  constructor(@InjectRepository(ScimToken) tokens: Repository<ScimToken>) {
    super(tokens);
  }

  /** A token has all permissions of its connection. */
  async insert(ctx: RequestContext, token: ScimToken, _gain: GainAuthorization): Promise<void> {
    await this.rows(ctx).insert(token);
  }

  /** Returns a token of the connection, or null if it is revoked or does not exist. */
  find(ctx: RequestContext, { tenantId, id: connectionId }: ConnectionKey, id: string): Promise<ScimToken | null> {
    return this.rows(ctx).findOneBy({ tenantId, connectionId, id, revokedAt: IsNull() });
  }

  /** Returns a page of the tokens of a connection, newest first, without revoked tokens. @throws InvalidCursor (400) */
  list(ctx: RequestContext, { tenantId, id: connectionId }: ConnectionKey, request: PageRequest): Promise<Page<ScimToken>> {
    return this.findPage(ctx, 'scimToken', { tenantId, connectionId, revokedAt: IsNull() }, request);
  }

  count(ctx: RequestContext, { tenantId, id: connectionId }: ConnectionKey): Promise<number> {
    return this.rows(ctx).countBy({ tenantId, connectionId, revokedAt: IsNull() });
  }

  hasSuccessor(ctx: RequestContext, { tenantId, connectionId, id }: ScimToken): Promise<boolean> {
    return this.rows(ctx).existsBy({ tenantId, connectionId, rotatedFromId: id });
  }

  async revoke(ctx: RequestContext, { tenantId, id }: ScimToken, at: Date, _loss: LossAuthorization): Promise<void> {
    await this.rows(ctx).update({ tenantId, id }, { revokedAt: at });
  }

  async expire(ctx: RequestContext, { tenantId, id }: ScimToken, at: Date, _loss: LossAuthorization): Promise<void> {
    await this.rows(ctx).update({ tenantId, id }, { expiresAt: at });
  }
}
