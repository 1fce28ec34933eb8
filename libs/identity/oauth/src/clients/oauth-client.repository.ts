import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository, lockKey } from '#platform/database';
import type { GainAuthorization, LossAuthorization, SignInAuthorization } from '#directory/privileges';
import { In, IsNull, type QueryDeepPartialEntity, Repository } from 'typeorm';
import { OAuthClient } from './oauth-client.entity.js';

/** Where a client or resource belongs: an organization, or the platform (`organizationId` is null). */
export type Home = Pick<OAuthClient, 'tenantId' | 'organizationId'>;

/** What a client that nobody created with the API can change. */
type DescribedFields = Pick<
  OAuthClient,
  | 'name'
  | 'type'
  | 'redirectUris'
  | 'backchannelLogoutUri'
  | 'backchannelLogoutSessionRequired'
  | 'origins'
  | 'authentication'
  | 'jwks'
  | 'jwksUri'
>;

@Injectable()
export class OAuthClientRepository extends BaseRepository<OAuthClient> {
  constructor(@InjectRepository(OAuthClient) clients: Repository<OAuthClient>) {
    super(clients);
  }

  find(ctx: RequestContext, home: Home, id: string): Promise<OAuthClient | null> {
    return this.rows(ctx).findOneBy({ ...conditionOf(home), id });
  }

  /** Locks the row until the transaction ends. */
  lock(ctx: RequestContext, home: Home, id: string): Promise<OAuthClient | null> {
    return this.rows(ctx).findOne({ where: { ...conditionOf(home), id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Returns a page of clients, newest first. @throws InvalidCursor (400) */
  list(ctx: RequestContext, home: Home, request: PageRequest): Promise<Page<OAuthClient>> {
    return this.findPage(ctx, 'oauthClient', conditionOf(home), request);
  }

  /** Counts the clients. Locks the count until the transaction ends. */
  async countLocked(ctx: RequestContext, home: Home): Promise<number> {
    await lockKey(ctx, 'oauth-clients', home.organizationId ?? home.tenantId);
    return this.rows(ctx).countBy(conditionOf(home));
  }

  async insert(ctx: RequestContext, client: OAuthClient, _gain: GainAuthorization): Promise<void> {
    await this.rows(ctx).insert(client);
  }

  async update(ctx: RequestContext, client: OAuthClient, _gain: GainAuthorization): Promise<void> {
    await this.rows(ctx).save(client);
  }

  /** Changes what a client says about itself. It can do no more than before. */
  async updateDescription(
    ctx: RequestContext,
    { tenantId, id }: Pick<OAuthClient, 'tenantId' | 'id'>,
    description: Partial<DescribedFields>,
    at: Date,
  ): Promise<void> {
    const changed = { ...description, updatedAt: at } as QueryDeepPartialEntity<OAuthClient>;
    await this.rows(ctx).update({ tenantId, id }, changed);
  }

  /** Ends a client that registered itself. The row stays, so that its `client_id` can't be used again. */
  async end(
    ctx: RequestContext,
    { tenantId, id }: Pick<OAuthClient, 'tenantId' | 'id'>,
    at: Date,
    _loss: LossAuthorization,
  ): Promise<void> {
    await this.rows(ctx).update({ tenantId, id }, { enabled: false, updatedAt: at });
  }

  /** Returns the enabled clients that a user owns, in these tenants. */
  listEnabledOf(
    ctx: RequestContext,
    owner: Readonly<Record<'tenantId' | 'id', string>>,
    tenantIds: readonly string[],
  ): Promise<OAuthClient[]> {
    const owned = { ownerTenantId: owner.tenantId, ownerId: owner.id };
    return this.rows(ctx).findBy({ tenantId: In([...tenantIds]), ...owned, enabled: true });
  }

  async disable(ctx: RequestContext, { tenantId, id }: OAuthClient, at: Date, _signIn: SignInAuthorization): Promise<void> {
    await this.rows(ctx).update({ tenantId, id }, { enabled: false, updatedAt: at });
  }

  async delete(ctx: RequestContext, { tenantId, id }: OAuthClient, _loss: LossAuthorization): Promise<void> {
    await this.rows(ctx).delete({ tenantId, id });
  }
}

const conditionOf = ({ tenantId, organizationId }: Home) => ({
  tenantId,
  organizationId: organizationId ?? IsNull(),
  // Clients that nobody created with the API are not managed with it, either.
  registration: IsNull(),
});
