import { beforeAll, expect, it } from '@jest/globals';
import { type RequestContext, systemContext } from '#platform/common';
import { BaseQuery, column, row, TransactionRunner } from '#platform/database';
import { DataSource } from 'typeorm';
import { newOrganization } from '../support/organizations.js';
import { quantile } from '../support/quantile.js';
import { testReceiver } from '../support/receiver.js';
import { testApp } from '../support/test-app.js';

const INSERT = `INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
  SELECT tenant_id, tenant_id, 'user', 'active', 1 FROM json_to_recordset($1::json) AS r (tenant_id text)`;
const IDLE_EVENTS = 20;
/** An event of an idle service reaches its receiver faster than by polling. */
const IDLE_P50_MAX_MS = 500;

class DeltaQuery extends BaseQuery {
  /**
   * Reads a row of the tenant. Returns the process of the coordinator and the number of the transaction, with which the names of its prepared
   * transactions begin. Background work can use the same connection before.
   */
  async read(ctx: RequestContext, tenantId: string): Promise<string> {
    await this.query(ctx, row({ name: column.text() }), 'SELECT name FROM organizations WHERE tenant_id = $1', [tenantId]);
    const sql = `SELECT process_id || '_' || transaction_number AS prefix FROM get_current_transaction_id()`;
    return (await this.query(ctx, row({ prefix: column.text() }), sql))[0]!.prefix;
  }

  insertDeferred(ctx: RequestContext, tenantId: string): void {
    this.executeDeferred(ctx, { sql: INSERT, rows: [{ tenant_id: tenantId }] });
  }
}

const app = testApp();
const receiver = testReceiver();
let tenantId: string;

beforeAll(async () => {
  tenantId = (await newOrganization(app)).id;
});

/** Returns the prepared transactions. Citus deletes the rows after some seconds. */
const listPrepared = async (): Promise<string[]> =>
  (await app.database.query<{ gid: string }>('SELECT gid FROM pg_dist_transaction')).map(({ gid }) => gid);

it('prepares deferred rows on the worker, although the transaction has read there before', async () => {
  const deltas = new DeltaQuery(app.app.get(DataSource));
  const before = new Set(await listPrepared());
  const prefix = await app.app.get(TransactionRunner).run(systemContext('test'), async (ctx) => {
    const read = await deltas.read(ctx, tenantId);
    deltas.insertDeferred(ctx, tenantId);
    return read;
  });
  const prepared = (await listPrepared()).filter((gid) => !before.has(gid) && gid.startsWith(`citus_0_${prefix}_`));
  expect(prepared).toHaveLength(1);
});

it('delivers an event immediately while the service is idle', async () => {
  const path = `/v1/organizations/${tenantId}`;
  await app.api.platform.post(`${path}/webhooks`, { url: receiver.url, events: ['role.created'] }).expect(201);
  for (let count = 1; count <= IDLE_EVENTS; count++) {
    await app.api.platform.post(`${path}/roles`, { name: `role ${count}` }).expect(201);
    await receiver.waitFor(count, 30_000);
  }
  const latencies = receiver.requests.map(
    ({ body, receivedAt }) => receivedAt - Date.parse((JSON.parse(body.toString()) as { timestamp: string }).timestamp),
  );
  expect(quantile(latencies, 0.5)).toBeLessThan(IDLE_P50_MAX_MS);
});
