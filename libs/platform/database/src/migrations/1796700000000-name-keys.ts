import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeRows, nameKey, searchKey } from './folding/folding.js';

interface Named {
  readonly tenant_id: string;
  readonly organization_id: string;
  readonly id: string;
  readonly name: string;
}

/**
 * Groups and roles get a key of their name that ignores case and is unique in the organization, and groups a text for searches. Of names that
 * differ only in case, the first row gets the key, and the keys of the others end with their id. These rows keep their names, by which they are
 * still found. The columns can be null, because the previous release writes none: a later migration fills what it wrote.
 */
export class NameKeys1796700000000 implements MigrationInterface {
  readonly name = 'NameKeys1796700000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['groups', 'roles']) {
      for (const each of [table, `${table}_history`]) {
        await queryRunner.query(`ALTER TABLE ${each} ADD COLUMN name_key text COLLATE "C"`);
        if (table === 'groups') await queryRunner.query(`ALTER TABLE ${each} ADD COLUMN search_text text`);
      }
      await this.fill(queryRunner, table);
      await queryRunner.query(
        `ALTER TABLE ${table} ADD CONSTRAINT ${table}_name_key_key UNIQUE (tenant_id, organization_id, name_key)`,
      );
    }
    await queryRunner.query('ALTER TABLE scim_preview_groups ADD COLUMN name_key text COLLATE "C"');
    await changeRows(queryRunner, {
      table: 'scim_preview_groups',
      key: ['group_id', 'connection_id'],
      columns: ['display_name'],
      where: 'name_key IS NULL',
      change: ({ display_name: name }) => ({ name_key: nameKey(String(name)) }),
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE scim_preview_groups DROP COLUMN name_key');
    for (const table of ['roles', 'groups']) {
      await queryRunner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_name_key_key`);
      for (const each of [table, `${table}_history`]) {
        await queryRunner.query(`ALTER TABLE ${each} DROP COLUMN name_key`);
        if (table === 'groups') await queryRunner.query(`ALTER TABLE ${each} DROP COLUMN search_text`);
      }
    }
  }

  private async fill(queryRunner: QueryRunner, table: string): Promise<void> {
    const taken = new Set<string>();
    const columnsOf = (name: string, key: string) => ({
      name_key: key,
      ...(table === 'groups' ? { search_text: searchKey(name) } : {}),
    });
    const rows = { key: ['id'], columns: ['organization_id', 'name'], where: 'name_key IS NULL' };
    await changeRows(queryRunner, {
      ...rows,
      table,
      change: (row) => {
        const { tenant_id, organization_id, id, name } = row as unknown as Named;
        const key = nameKey(name);
        const inOrganization = JSON.stringify([tenant_id, organization_id, key]);
        const isTaken = taken.has(inOrganization);
        taken.add(inOrganization);
        // No name contains a control character.
        return columnsOf(name, isTaken ? `${key}\u0001${id}` : key);
      },
    });
    await changeRows(queryRunner, {
      table: `${table}_history`,
      key: ['id', 'name'],
      columns: [],
      where: rows.where,
      change: ({ name }) => columnsOf(String(name), nameKey(String(name))),
    });
  }
}
