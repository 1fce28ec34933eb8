import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/delivery-app.js';
import { type ScimClient, startScim } from '../support/scim.js';
import { later } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const suspend = { Operations: [{ op: 'replace', path: 'active', value: false }] };
const HOUR_MS = 3_600_000;

describe('limits of SCIM connections', () => {
  const app = testApp();

  const at = (org: string, { connectionId }: ScimClient, rest = '') =>
    `/v1/organizations/${org}/scim-connections/${connectionId}${rest}`;
  const connectionOf = async (org: string, scim: ScimClient) => (await app.api.platform.get(at(org, scim)).expect(200)).body.data;
  const usersOf = async (scim: ScimClient, name: string, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let index = 0; index < count; index++)
      ids.push((await scim.post('/Users', { userName: `u${index}@${name}.example` }).expect(201)).body.id);
    return ids;
  };
  const statusesOf = async (org: string, ids: readonly string[]): Promise<string[]> =>
    Promise.all(
      ids.map(async (id) => (await app.api.platform.get(`/v1/organizations/${org}/users/${id}`).expect(200)).body.data.status),
    );

  it('stops a connection that would remove more users than the limit, and notifies the owners', async () => {
    const { org, scim } = await startScim(app, 'Stopped', { maxRemovals: 2 });
    const owner = { email: 'owner@stopped.example', roles: ['role_owner'] };
    await app.api.platform.post(`/v1/organizations/${org}/users`, owner).expect(201);
    const ids = await usersOf(scim, 'stopped', 4);
    await scim.patch(`/Users/${ids[0]}`, suspend).expect(200);
    await scim.delete(`/Users/${ids[1]}`).expect(204);
    const rejected = await scim.patch(`/Users/${ids[2]}`, suspend).expect(503);
    expect(rejected.body).toMatchObject({ status: '503', detail: expect.stringContaining('more users than its limits') });
    expect(rejected.headers.get('retry-after')).toBe('600');
    expect(await statusesOf(org, ids)).toEqual(['suspended', 'deleted', 'active', 'active']);
    expect(await connectionOf(org, scim)).toMatchObject({ mode: 'stopped', stoppedAt: expect.any(String) });
    const [event] = await app.database.query<{ payload: string }>(
      `SELECT payload FROM events WHERE type = 'scim_connection.stopped' ORDER BY seq DESC LIMIT 1`,
    );
    expect(JSON.parse(event!.payload).data).toMatchObject({ id: scim.connectionId, mode: 'stopped', removedUsers: 2 });
    const mails = await app.database.query(`SELECT FROM messages WHERE template = 'scim_connection_stopped'`);
    expect(mails).toHaveLength(1);

    await scim.post('/Users', { userName: 'new@stopped.example' }).expect(503);
    await scim.post('/Bulk', { Operations: [] }).expect(503);
    await scim.get('/Users').expect(200);
    await scim.post('/Users/.search', {}).expect(200);
  });

  it('continues for an hour without limits after the activation', async () => {
    const { org, scim } = await startScim(app, 'Continued', { maxRemovals: 1 });
    const ids = await usersOf(scim, 'continued', 5);
    await scim.delete(`/Users/${ids[0]}`).expect(204);
    await scim.delete(`/Users/${ids[1]}`).expect(503);
    await app.api.platform.post(at(org, scim, '/activate')).expect(200);
    await scim.delete(`/Users/${ids[1]}`).expect(204);
    await scim.delete(`/Users/${ids[2]}`).expect(204);
    await later(app, HOUR_MS + 60_000, async () => {
      await scim.delete(`/Users/${ids[3]}`).expect(204);
      await scim.delete(`/Users/${ids[4]}`).expect(503);
    });
  });

  it('counts only the removals of the last hour, and not users who are active again', async () => {
    const { scim } = await startScim(app, 'Hour', { maxRemovals: 1 });
    const ids = await usersOf(scim, 'hour', 3);
    await scim.patch(`/Users/${ids[0]}`, suspend).expect(200);
    await scim.patch(`/Users/${ids[0]}`, { Operations: [{ op: 'replace', path: 'active', value: true }] }).expect(200);
    await scim.patch(`/Users/${ids[1]}`, suspend).expect(200);
    await later(app, HOUR_MS + 60_000, () => scim.patch(`/Users/${ids[2]}`, suspend).expect(200));
  });

  it('applies a percentage from the eleventh removal on', async () => {
    const { org, scim } = await startScim(app, 'Percent', { maxRemovals: null, maxRemovalPercent: 50 });
    const ids = await usersOf(scim, 'percent', 24);
    for (const id of ids.slice(0, 12)) await scim.delete(`/Users/${id}`).expect(204);
    await scim.delete(`/Users/${ids[12]}`).expect(503);
    expect((await connectionOf(org, scim)).mode).toBe('stopped');
  });

  it('restores the removed users, and stays stopped', async () => {
    const { org, scim } = await startScim(app, 'Restored', { maxRemovals: 3 });
    const ids = await usersOf(scim, 'restored', 4);
    await scim.patch(`/Users/${ids[0]}`, suspend).expect(200);
    await scim.delete(`/Users/${ids[1]}`).expect(204);
    await scim.patch(`/Users/${ids[3]}`, suspend).expect(200);
    await scim.delete(`/Users/${ids[3]}`).expect(204);
    expect((await app.api.platform.post(at(org, scim, '/roll-back')).expect(409)).body.code).toBe('scim_connection_not_stopped');
    await scim.delete(`/Users/${ids[2]}`).expect(503);
    expect((await app.api.platform.post(at(org, scim, '/roll-back')).expect(200)).body.data.mode).toBe('rolling_back');
    const isStopped = async () => (await connectionOf(org, scim)).mode === 'stopped';
    await eventually(isStopped, 30_000, 'the users are restored');
    expect(await statusesOf(org, ids)).toEqual(['active', 'active', 'active', 'active']);
    const [event] = await app.database.query<{ payload: string }>(
      `SELECT payload FROM events WHERE type = 'scim_connection.rolled_back' ORDER BY seq DESC LIMIT 1`,
    );
    expect(JSON.parse(event!.payload).data).toMatchObject({ id: scim.connectionId, restoredUsers: 3 });
    await scim.delete(`/Users/${ids[0]}`).expect(503);
  });

  it('counts concurrent removals', async () => {
    const { org, scim } = await startScim(app, 'Concurrent', { maxRemovals: 3 });
    const ids = await usersOf(scim, 'concurrent', 8);
    await Promise.all(ids.map((id) => scim.delete(`/Users/${id}`)));
    expect((await statusesOf(org, ids)).filter((status) => status === 'deleted')).toHaveLength(3);
  });

  it('executes no further operation of the bulk request that stopped the connection', async () => {
    const { org, scim } = await startScim(app, 'Bulk', { maxRemovals: 1 });
    const [first, second, third] = await usersOf(scim, 'bulk', 3);
    const { body } = await scim
      .post('/Bulk', {
        Operations: [
          { method: 'DELETE', path: `/Users/${first}` },
          { method: 'DELETE', path: `/Users/${second}` },
          { method: 'PATCH', path: `/Users/${third}`, data: { Operations: [{ op: 'add', path: 'displayName', value: 'X' }] } },
          { method: 'POST', path: '/Groups', bulkId: 'g', data: { displayName: 'G' } },
        ],
      })
      .expect(200);
    expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual(['204', '503', '503', '503']);
    expect((await scim.get(`/Users/${third}`).expect(200)).body.displayName).toBeUndefined();
    expect((await connectionOf(org, scim)).mode).toBe('stopped');
  });
});
