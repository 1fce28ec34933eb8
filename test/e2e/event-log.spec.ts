import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import { numberedEvents } from '../support/event-log.js';
import type { TestClient } from '../support/http-client.js';
import { made, newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

interface ListedEvent {
  id: string;
  position: number;
  type: string;
  timestamp: string;
  organization: { id: string; name: string };
  data: Record<string, unknown>;
  actor: { type: string; id?: string };
}

describe('the event log', () => {
  const app = testApp();
  const path = '/v1/organizations/acme/events';
  const ids: Record<'acme' | 'branch' | 'user' | 'other', string> = { acme: '', branch: '', user: '', other: '' };
  let keys: Record<'acme' | 'branch' | 'elsewhere' | 'without', TestClient>;
  let halfway: string;

  const list = async (query = '', client: TestClient = app.api.platform, at = path) =>
    (await client.get(`${at}${query}`).expect(200)).body as { data: ListedEvent[]; pagination: { total: number; page: number } };
  const types = async (query: string, at = path) => (await list(query, app.api.platform, at)).data.map(({ type }) => type);

  beforeAll(async () => {
    const { platform } = app.api;
    const key = async (organization: string, scopes: string[]) =>
      app.api.as((await made(app, `/v1/organizations/${organization}/api-keys`, { name: 'k', scopes })).key as string);
    ids.acme = (await made(app, '/v1/organizations', { name: 'Acme', slug: 'acme' })).id;
    ids.branch = (await made(app, '/v1/organizations', { name: 'Branch', slug: 'branch', parentId: 'acme' })).id;
    await made(app, '/v1/organizations', { name: 'Elsewhere', slug: 'elsewhere' });
    ids.user = (await made(app, '/v1/organizations/acme/users', { email: 'ada@example.com' })).id;
    await sleep(5);
    halfway = new Date().toISOString();
    await sleep(5);
    ids.other = (await made(app, '/v1/organizations/acme/users', { email: 'eve@example.com' })).id;
    await platform.patch(`/v1/organizations/acme/users/${ids.user}`, { firstName: 'Ada' }).expect(200);
    await made(app, '/v1/organizations/branch/users', { email: 'bob@example.com' });
    keys = {
      acme: await key('acme', ['events:read', 'roles:write', 'roles:read']),
      branch: await key('branch', ['events:read']),
      elsewhere: await key('elsewhere', ['*']),
      without: await key('acme', ['users:read']),
    };
    await keys.acme.post('/v1/organizations/acme/roles', { name: 'billing' }).expect(201);
    await numberedEvents(app);
  });

  it('lists events newest first, in the format of webhooks', async () => {
    const { data, pagination } = await list();
    expect(data.map(({ type }) => type)).toEqual([
      'role.created',
      'security.api_key_created',
      'security.api_key_created',
      'user.updated',
      'user.created',
      'user.created',
      'organization.created',
    ]);
    expect(pagination).toEqual({ total: 7, page: 1, limit: 20, hasMore: false });
    const positions = data.map(({ position }) => position);
    expect(positions).toEqual([...positions].sort((a, b) => b - a));
    const [row] = await app.database.query<{ payload: string }>('SELECT payload FROM events WHERE id = $1', [data[3]!.id]);
    const shown = { ...JSON.parse(row!.payload), position: data[3]!.position, redactedAt: null };
    expect(data[3]).toEqual({ ...shown, chainHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(data[3]).toMatchObject({
      organization: { id: ids.acme, name: 'Acme' },
      data: { id: ids.user, changes: { firstName: { from: null, to: 'Ada' } } },
    });
  });

  it('filters by type, group, actor, user and time', async () => {
    expect(await types('?type=user.updated')).toEqual(['user.updated']);
    expect(await types('?type=user.*')).toEqual(['user.updated', 'user.created', 'user.created']);
    expect(await types('?type=*&limit=2')).toHaveLength(2);
    expect(await types(`?userId=${ids.user}`)).toEqual(['user.updated', 'user.created']);
    const [made] = (await list('?type=role.created')).data;
    expect(made!.actor).toMatchObject({ type: 'api', id: expect.stringMatching(/^key_/) });
    expect(await types(`?actorId=${made!.actor.id}`)).toEqual(['role.created']);
    expect(await types(`?until=${halfway}`)).toEqual(['user.created', 'organization.created']);
    expect(await types(`?since=${halfway}&type=user.*`)).toEqual(['user.updated', 'user.created']);
    expect((await list(`?since=${halfway}&type=user.*`)).pagination).toMatchObject({ total: 2 });
  });

  it('includes events of descendant organizations only on request', async () => {
    const everything = (await list('?includeDescendants=true')).data;
    expect(new Set(everything.map(({ organization }) => organization.id))).toEqual(new Set([ids.acme, ids.branch]));
    expect(everything).toHaveLength(10);
    expect(await types('?includeDescendants=true', '/v1/organizations/branch/events')).toEqual([
      'security.api_key_created',
      'user.created',
      'organization.created',
    ]);
    expect((await list('', keys.branch, '/v1/organizations/branch/events')).data).toHaveLength(3);
    await keys.branch.get(path).expect(404);
    await keys.elsewhere.get(path).expect(404);
    await keys.without.get(path).expect(403);
  });

  it('lists pages in both directions without repeating or skipping events', async () => {
    const all = (await list('?includeDescendants=true')).data.map(({ id }) => id);
    for (const [sort, wanted] of [
      ['-position', all],
      ['position', [...all].reverse()],
    ] as const) {
      const seen: string[] = [];
      for (let after = ''; ;) {
        const page = await list(
          `?includeDescendants=true&limit=3&sort=${sort}${after && `&after=${after}`}`,
          after.length % 2 ? keys.acme : app.api.platform,
        );
        expect(page.pagination).toMatchObject({ total: 10, page: Math.floor(seen.length / 3) + 1 });
        seen.push(...page.data.map(({ id }) => id));
        if (page.data.length < 3) break;
        after = `${seen.at(-1)}`;
      }
      expect(seen).toEqual(wanted);
    }
    expect((await list('?includeDescendants=true&page=2&limit=4')).data.map(({ id }) => id)).toEqual(all.slice(4, 8));
  });

  it('counts new events in the exact total', async () => {
    const { id } = await newOrganization(app);
    const countRoleEvents = async () =>
      (await list('?type=role.*', app.api.platform, `/v1/organizations/${id}/events`)).pagination.total;
    for (const [index, name] of ['one', 'another', 'more'].entries()) {
      expect(await countRoleEvents()).toBe(index);
      await made(app, `/v1/organizations/${id}/roles`, { name });
      await numberedEvents(app);
      expect(await countRoleEvents()).toBe(index + 1);
    }
  });

  it('returns 404 for an event outside the organization and the descendants', async () => {
    const [below] = (await list('', app.api.platform, '/v1/organizations/branch/events')).data;
    expect((await keys.acme.get(`${path}/${below!.id}`).expect(200)).body.data).toEqual(below);
    const [own] = (await list()).data;
    const hidden = await keys.branch.get(`/v1/organizations/branch/events/${own!.id}`).expect(404);
    expect(hidden.body.code).toBe('event_not_found');
    await app.api.platform.get(`/v1/organizations/elsewhere/events/${own!.id}`).expect(404);
    await app.api.platform.get(`${path}/${newId('event')}`).expect(404);
    await app.api.platform.get(`${path}/nonsense`).expect(404);
  });

  it('rejects unknown cursors and cursors of another organization', async () => {
    const refusal = async (after: string, at = path) =>
      (await app.api.platform.get(`${at}?after=${after}`).expect(400)).body.code as string;
    const [own] = (await list()).data;
    expect(await refusal('usr_01kf2b8v3cf5h9r4n0j7d2q6xw')).toBe('invalid_cursor');
    expect(await refusal(newId('event'))).toBe('cursor_gone');
    expect(await refusal(own!.id, '/v1/organizations/elsewhere/events')).toBe('cursor_gone');
    expect(await refusal(own!.id, '/v1/organizations/branch/events')).toBe('cursor_gone');
    await app.api.platform.get(`${path}?type=nonsense`).expect(400);
    await app.api.platform.get(`${path}?since=yesterday`).expect(400);
  });
});
