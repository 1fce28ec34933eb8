import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DomainVerification } from '#directory/organizations';
import type { LossAuthorization, PolicyAuthorization } from '#directory/privileges';
import { DataSource } from 'typeorm';
import type { Domain } from './domain.entity.js';

const OWNER_ROW = row({ tenantId: column.text(), organizationId: column.text(), domainId: column.text() });

const NAME_ROW = row({ name: column.text() });

export type DomainOwner = RowOf<typeof OWNER_ROW>;

/** Reads and writes the owners of verified domains. A domain has one owner in the installation. */
@Injectable()
export class VerifiedDomainQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly verification: DomainVerification,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.verification.register((ctx, tenantId, organizationIds, names) =>
      this.listVerified(ctx, tenantId, organizationIds, names),
    );
  }

  async find(ctx: RequestContext, name: string): Promise<DomainOwner | undefined> {
    const [owner] = await this.query(
      ctx,
      OWNER_ROW,
      `SELECT tenant_id AS "tenantId", organization_id AS "organizationId", domain_id AS "domainId" FROM verified_domains WHERE name = $1`,
      [name],
      { prepared: true },
    );
    return owner;
  }

  /** Returns which of the domains the organizations have verified. */
  private async listVerified(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    names: readonly string[],
  ): Promise<string[]> {
    const rows = await this.query(
      ctx,
      NAME_ROW,
      'SELECT name FROM verified_domains WHERE name = ANY ($1) AND tenant_id = $2 AND organization_id = ANY ($3)',
      [names, tenantId, organizationIds],
    );
    return rows.map(({ name }) => name);
  }

  /** Returns false if another organization owns the domain. */
  async insert(
    ctx: RequestContext,
    { name, tenantId, organizationId, id }: Domain,
    _policy: PolicyAuthorization,
  ): Promise<boolean> {
    const inserted = await this.execute(
      ctx,
      `INSERT INTO verified_domains (name, tenant_id, organization_id, domain_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (name) DO NOTHING`,
      [name, tenantId, organizationId, id],
    );
    return inserted === 1;
  }

  async delete(ctx: RequestContext, { name, tenantId, id }: Domain, _policy: PolicyAuthorization): Promise<void> {
    await this.execute(ctx, 'DELETE FROM verified_domains WHERE name = $1 AND tenant_id = $2 AND domain_id = $3', [
      name,
      tenantId,
      id,
    ]);
  }

  async deleteByOrganizations(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    _loss: LossAuthorization,
  ): Promise<void> {
    const sql = 'DELETE FROM verified_domains WHERE tenant_id = $1 AND organization_id = ANY ($2)';
    await this.execute(ctx, sql, [tenantId, organizationIds]);
  }
}
