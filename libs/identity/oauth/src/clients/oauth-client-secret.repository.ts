import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { GainAuthorization, LossAuthorization } from '#directory/privileges';
import { IsNull, MoreThan, Repository } from 'typeorm';
import type { OAuthClient } from './oauth-client.entity.js';
import { OAuthClientSecret } from './oauth-client-secret.entity.js';

type ClientKey = Pick<OAuthClient, 'tenantId' | 'id'>;

@Injectable()
export class OAuthClientSecretRepository extends BaseRepository<OAuthClientSecret> {
  constructor(@InjectRepository(OAuthClientSecret) secrets: Repository<OAuthClientSecret>) {
    super(secrets);
  }

  find(ctx: RequestContext, { tenantId, id: clientId }: ClientKey, id: string): Promise<OAuthClientSecret | null> {
    return this.rows(ctx).findOneBy({ tenantId, clientId, id });
  }

  /** Returns a page of the secrets of a client, newest first. @throws InvalidCursor (400) */
  list(ctx: RequestContext, { tenantId, id: clientId }: ClientKey, request: PageRequest): Promise<Page<OAuthClientSecret>> {
    return this.findPage(ctx, 'oauthClientSecret', { tenantId, clientId }, request);
  }

  count(ctx: RequestContext, { tenantId, id: clientId }: ClientKey): Promise<number> {
    return this.rows(ctx).countBy({ tenantId, clientId });
  }

  async insert(ctx: RequestContext, secret: OAuthClientSecret, _gain: GainAuthorization): Promise<void> {
    await this.rows(ctx).insert(secret);
  }

  /** Makes all secrets of a client expire at a time, unless they expire earlier. */
  async expireAll(ctx: RequestContext, { tenantId, id: clientId }: ClientKey, at: Date, _loss: LossAuthorization): Promise<void> {
    await this.rows(ctx).update({ tenantId, clientId, expiresAt: IsNull() }, { expiresAt: at });
    await this.rows(ctx).update({ tenantId, clientId, expiresAt: MoreThan(at) }, { expiresAt: at });
  }

  async delete(ctx: RequestContext, { tenantId, id }: OAuthClientSecret, _loss: LossAuthorization): Promise<void> {
    await this.rows(ctx).delete({ tenantId, id });
  }
}
