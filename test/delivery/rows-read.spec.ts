import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { DeliveryTestService, eventually } from '../support/delivery-app.js';

const KEPT = 6_000;
const PUBLISHED = 50;

let world: DeliveryTestService;
let receiver: Receiver;

beforeAll(async () => {
  [world, receiver] = await Promise.all([DeliveryTestService.create(), startReceiver()]);
});
afterAll(async () => {
  await world.drop();
  await receiver.stop();
});

const read = async (): Promise<number> => {
  const [row] = await world.rows<{ count: string }>(
    `SELECT sum(seq_tup_read) AS count FROM pg_stat_user_tables WHERE relname LIKE 'deliveries%'`,
  );
  return Number(row!.count);
};

/** Waits for a number of recorded attempts. Counting deliveries would read them. */
const recorded = (attempts: number): Promise<void> =>
  eventually(async () => (await world.rows('SELECT FROM delivery_attempts')).length === attempts, 30_000, 'recorded attempts');

it('records deliveries without reading earlier deliveries, also in a week without planner statistics', async () => {
  const app = await world.start();
  await world.createWebhook(app, { url: receiver.url });
  await world.publish(app, 1);
  await recorded(1);
  const columns = await world.rows<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_name = 'deliveries' AND is_generated = 'NEVER' AND column_name NOT IN ('id', 'webhook_id') ORDER BY 1`,
  );
  const others = columns.map(({ name }) => name).join(', ');
  await world.sql.query(
    `INSERT INTO deliveries (id, webhook_id, ${others}) SELECT 'dlv_kept_' || n, 'wh_kept_' || n, ${others} FROM deliveries, generate_series(1, ${KEPT}) n`,
  );
  const before = await read();
  await world.publish(app, PUBLISHED);
  await recorded(1 + PUBLISHED);
  // PostgreSQL updates the statistics of a connection when the connection ends.
  await world.stop();
  expect((await read()) - before).toBeLessThan(KEPT);
});
