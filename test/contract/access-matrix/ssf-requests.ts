import { newId } from '#platform/common';
import { at, type MatrixRow, type MatrixRows } from './row.js';
import type { RequestOrganizations, Setup } from './setup.js';

const MACHINE = { name: 'Matrix', type: 'machine' };

/** Inserts the stream of a new client. Returns its path, and the id of a failed delivery. */
async function stream({ app }: Setup, orgs: RequestOrganizations): Promise<{ path: string; deliveryId: string }> {
  const clientId = (await app.api.platform.post(at(orgs, '/oauth-clients'), MACHINE).expect(201)).body.data.id;
  const [id, deliveryId] = [newId('ssfStream'), newId('delivery')];
  await app.database.query(
    `INSERT INTO ssf_streams (tenant_id, id, organization_id, client_id, delivery_method, events_requested, subject_format, status,
       created_at, updated_at, version)
     SELECT tenant_id, $2, organization_id, id, 'poll', '{}', 'iss_sub', 'enabled', now(), now(), 1 FROM oauth_clients WHERE id = $1`,
    [clientId, id],
  );
  await app.database.query(
    `INSERT INTO deliveries (tenant_id, event_id, id, webhook_id, organization_id, event_type, status, created_at, completed_at)
     SELECT tenant_id, id, $3, $2, organization_id, type, 'failed', now(), now() FROM events WHERE payload::jsonb #>> '{data,id}' = $1`,
    [clientId, id, deliveryId],
  );
  return { path: at(orgs, `/ssf-streams/${id}`), deliveryId };
}

const onStream = (rest: (deliveryId: string) => string, body?: object): MatrixRow => ({
  request: async (setup, orgs) => {
    const { path, deliveryId } = await stream(setup, orgs);
    return { path: path + rest(deliveryId), body };
  },
});

/** The operations on streams of shared signals. Receivers create them with endpoints that are no operations of the API. */
export const SSF_ROWS: MatrixRows = {
  listSsfStreams: { request: (_setup, orgs) => ({ path: at(orgs, '/ssf-streams') }) },
  getSsfStream: onStream(() => ''),
  updateSsfStream: onStream(() => '', { status: 'paused' }),
  deleteSsfStream: onStream(() => ''),
  listSsfDeliveries: onStream(() => '/deliveries'),
  getSsfDelivery: onStream((id) => `/deliveries/${id}`),
  retrySsfDelivery: onStream((id) => `/deliveries/${id}/retry`),
  replaySsfDeliveries: onStream(() => '/deliveries/replay', { since: '2026-01-01T00:00:00Z', dryRun: true }),
};
