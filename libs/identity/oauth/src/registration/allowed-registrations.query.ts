import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, row } from '#platform/database';
import { DataSource } from 'typeorm';

const FOUND_ROW = row({});

/** Reads whether any organization allows clients that nobody created with the API. Whether its users can use one is decided later. */
@Injectable()
export class AllowedRegistrationsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Without a domain: whether any domain is allowed. */
  async isDomainAllowed(ctx: RequestContext, domain?: string): Promise<boolean> {
    const sql = `SELECT FROM organizations WHERE settings_overrides ? 'clientIdMetadataDomains'
      AND ($1::text IS NULL AND settings_overrides -> 'clientIdMetadataDomains' <> '[]' OR settings_overrides -> 'clientIdMetadataDomains' ? $1)
      AND deleted_at IS NULL LIMIT 1`;
    return (await this.query(ctx, FOUND_ROW, sql, [domain ?? null], { prepared: true })).length > 0;
  }

  async isRegistrationAllowed(ctx: RequestContext): Promise<boolean> {
    const sql = `SELECT FROM organizations WHERE settings_overrides @> '{"dynamicClientRegistration": true}' AND deleted_at IS NULL LIMIT 1`;
    return (await this.query(ctx, FOUND_ROW, sql, [], { prepared: true })).length > 0;
  }
}
