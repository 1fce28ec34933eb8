import { expect, it } from '@jest/globals';
import { testReceiver } from '../support/receiver.js';
import { deliveryTestService, eventually } from '../support/delivery-app.js';

const EARLIER_DELIVERIES = 6_000;
const PUBLISHED = 50;

const deliveryTest = deliveryTestService();
const receiver = testReceiver();

const rowsRead = async (): Promise<number> => {
  const [row] = await deliveryTest.rows<{ count: string }>(
    `SELECT sum(seq_tup_read) AS count FROM pg_stat_user_tables WHERE relname LIKE 'deliveries%'`,
  );
  return Number(row!.count);
};

/** Waits for a number of attempts in `delivery_attempts`. A count of `deliveries` would itself read rows of deliveries. */
const waitForAttempts = (attempts: number): Promise<void> =>
  eventually(
    async () => (await deliveryTest.rows('SELECT FROM delivery_attempts')).length === attempts,
    30_000,
    'recorded attempts',
  );

it('records deliveries without reading earlier deliveries if the partition has no planner statistics', async () => {
  const app = await deliveryTest.start();
  await deliveryTest.createWebhook(app, { url: receiver.url });
  await deliveryTest.publish(app, 1);
  await waitForAttempts(1);
  const columns = await deliveryTest.rows<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_name = 'deliveries' AND is_generated = 'NEVER' AND column_name NOT IN ('id', 'webhook_id') ORDER BY 1`,
  );
  const others = columns.map(({ name }) => name).join(', ');
  await deliveryTest.sql.query(
    `INSERT INTO deliveries (id, webhook_id, ${others}) SELECT 'dlv_kept_' || n, 'wh_kept_' || n, ${others} FROM deliveries, generate_series(1, ${EARLIER_DELIVERIES}) n`,
  );
  const before = await rowsRead();
  await deliveryTest.publish(app, PUBLISHED);
  await waitForAttempts(1 + PUBLISHED);
  // PostgreSQL updates the statistics of a connection when the connection ends.
  await deliveryTest.stop();
  expect((await rowsRead()) - before).toBeLessThan(EARLIER_DELIVERIES);
});
