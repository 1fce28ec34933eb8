import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { newId } from '#platform/common';
import { payloadDigests } from '../libs/platform/events/src/payload-digests.ts';

const DRAIN_LIMIT_MS = 300_000;
const POLL_INTERVAL_MS = 20;

/** Returns functions that insert events into the outbox and wait for deliveries. */
export async function openOutbox(databaseUrl) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    /** Commits `count` copies of the latest event of the organization in one transaction, and notifies the relay. */
    fill: (slug, count) => fill(client, slug, count),
    drained: () => drained(client),
    attemptCount: async () => Number((await client.query('SELECT count(*) FROM delivery_attempts')).rows[0].count),
    latestPayload: async (slug) => (await latestEvent(client, slug)).payload,
    close: () => client.end(),
  };
}

async function latestEvent(client, slug) {
  const { rows } = await client.query(
    `SELECT e.* FROM events e JOIN organizations o ON o.tenant_id = e.tenant_id AND o.id = e.organization_id
     WHERE o.slug = $1 AND e.type = 'user.created' ORDER BY e.seq DESC LIMIT 1`,
    [slug],
  );
  return rows[0];
}

async function fill(client, slug, count) {
  const template = await latestEvent(client, slug);
  const occurredAt = new Date();
  const events = Array.from({ length: count }, () => {
    const payload = { ...JSON.parse(template.payload), id: newId('event'), timestamp: occurredAt.toISOString() };
    const digest = payloadDigests(payload).payload.toString('hex');
    return { id: payload.id, payload: JSON.stringify(payload), digest };
  });
  await client.query(
    `INSERT INTO events (id, tenant_id, type, organization_id, parent_organization_id, ancestor_ids, user_id, actor_type, actor_id,
       payload, payload_digest, occurred_at)
     SELECT r.id, e.tenant_id, e.type, e.organization_id, e.parent_organization_id, e.ancestor_ids, e.user_id, e.actor_type, e.actor_id,
       r.payload, decode(r.digest, 'hex'), $3
     FROM json_to_recordset($1::json) AS r (id text, payload text, digest text), events e WHERE e.tenant_id = $4 AND e.id = $2`,
    [JSON.stringify(events), template.id, occurredAt, template.tenant_id],
  );
  await client.query('SELECT pg_notify($1, $2)', ['outbox', template.tenant_id]);
}

/** Waits until all events have deliveries and none of the deliveries is pending. */
async function drained(client) {
  const deadline = performance.now() + DRAIN_LIMIT_MS;
  for (;;) {
    const { rows } = await client.query(
      `SELECT EXISTS (SELECT 1 FROM events WHERE position IS NULL) OR EXISTS (SELECT 1 FROM deliveries WHERE status = 'pending') AS waiting`,
    );
    if (!rows[0].waiting) return;
    if (performance.now() > deadline) throw new Error('Deliveries still wait after minutes.');
    await sleep(POLL_INTERVAL_MS);
  }
}
