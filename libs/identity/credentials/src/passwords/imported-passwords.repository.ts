import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { type ImportedPassword, ImportedPasswords, type PasswordKeeper } from '#directory/users';
import { DataSource } from 'typeorm';

/** Stores the hashes that imported users bring along; the first sign-in replaces each by one of this service's own. */
@Injectable()
export class ImportedPasswordKeeperRepository extends SqlRepository implements PasswordKeeper, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly imported: ImportedPasswords,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.imported.register(this);
  }

  async keepImported(ctx: RequestContext, tenantId: string, passwords: readonly ImportedPassword[], at: Date): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO user_credentials (tenant_id, user_id, password_hash, password_changed_at)
       SELECT $2, r.user_id, r.hash, $3::timestamptz FROM json_to_recordset($1::json) AS r (user_id text, hash text)`,
      [JSON.stringify(passwords.map(({ userId, hash }) => ({ user_id: userId, hash }))), tenantId, at],
    );
  }
}
