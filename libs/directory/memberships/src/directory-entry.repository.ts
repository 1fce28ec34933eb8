import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { Any, Repository } from 'typeorm';
import { DirectoryEntry } from './directory-entry.entity.js';
import { type DirectoryUser, entryColumns, tenantIdsOf, type UserInTenants } from './directory-user.js';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId'>;

@Injectable()
export class DirectoryEntryRepository extends BaseRepository<DirectoryEntry> {
  constructor(@InjectRepository(DirectoryEntry) entries: Repository<DirectoryEntry>) {
    super(entries);
  }

  find(ctx: RequestContext, { tenantId, id }: OrganizationRef, userId: string): Promise<DirectoryEntry | null> {
    return this.findByKey(ctx, { tenantId, organizationId: id, userId });
  }

  insertAllDeferred(ctx: RequestContext, entries: readonly DirectoryEntry[]): void {
    this.insertDeferred(ctx, entries);
  }

  async save(ctx: RequestContext, entry: DirectoryEntry): Promise<void> {
    await this.saveRow(ctx, entry);
  }

  /** Copies the fields of a user to the directory entries of the user in all tenants. */
  async updateOfUser(ctx: RequestContext, user: DirectoryUser): Promise<void> {
    await this.updateRows(ctx, { tenantId: Any(tenantIdsOf(user)), userId: user.id }, entryColumns(user));
  }

  /** Updates the time of the last sign-in in the entries of the user in all tenants. */
  async recordSignIn(ctx: RequestContext, user: UserInTenants, lastLoginAt: Date): Promise<void> {
    await this.updateRows(ctx, { tenantId: Any(tenantIdsOf(user)), userId: user.id }, { lastLoginAt });
  }

  async delete(ctx: RequestContext, { tenantId, organizationId, userId }: DirectoryEntry): Promise<void> {
    await this.deleteRows(ctx, { tenantId, organizationId, userId });
  }

  /** Deletes the entries of a user in all tenants. */
  async deleteOfUser(ctx: RequestContext, user: UserInTenants): Promise<void> {
    await this.deleteRows(ctx, { tenantId: Any(tenantIdsOf(user)), userId: user.id });
  }
}
