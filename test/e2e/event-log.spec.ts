import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import { numberedEvents } from '../support/event-log.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { at, keyClient, made, newAddress, newOrganization, read } from '../support/organizations.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

describe('the event log', () => {
  const app = testApp();
  let acme: string;
  let branch: string;
  let user: string;
  let creator: TestClient;
  let halfway: string;

  const events = (organization: string, query = ''): string => at(organization, `/events${query}`);
  const list = async (query = '', organization = acme): Promise<{ data: TestBody[]; pagination: TestBody }> =>
    (await app.api.platform.get(events(organization, query)).expect(200)).body;
  const types = async (query: string, organization = acme) => (await list(query, organization)).data.map(({ type }) => type);
  const idsOf = async (query: string): Promise<string[]> => (await list(query)).data.map(({ id }) => id);

  beforeAll(async () => {
    acme = (await newOrganization(app, { name: 'Acme' })).id;
    branch = (await newOrganization(app, { parentId: acme })).id;
    user = (await made(app, at(acme, '/users'), { email: newAddress() })).id;
    await sleep(5);
    halfway = new Date().toISOString();
    await sleep(5);
    await made(app, at(acme, '/users'), { email: newAddress() });
    await app.api.platform.patch(at(acme, `/users/${user}`), { firstName: 'Ada' }).expect(200);
    await made(app, at(branch, '/users'), { email: newAddress() });
    creator = await keyClient(app, acme, ['events:read', 'roles:write']);
    await creator.post(at(acme, '/roles'), { name: 'billing' }).expect(201);
    await numberedEvents(app);
  });

  it('lists events newest first, in the format of webhooks', async () => {
    const { data, pagination } = await list();
    expect(data.map(({ type }) => type)).toEqual([
      'role.created',
      'security.api_key_created',
      'user.updated',
      'user.created',
      'user.created',
      'organization.created',
    ]);
    expect(pagination).toEqual({ total: 6, page: 1, limit: 20, hasMore: false });
    const positions = data.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => b - a));
    const updated = data[2]!;
    const [row] = await app.database.query<{ payload: string }>('SELECT payload FROM events WHERE id = $1', [updated.id]);
    const { position } = updated;
    const chainHash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(updated).toEqual({ ...JSON.parse(row!.payload), position, redactedAt: null, chainHash });
  });

  it('filters by type, group, actor, user and time', async () => {
    expect(await types('?type=user.updated')).toEqual(['user.updated']);
    expect(await types('?type=user.*')).toEqual(['user.updated', 'user.created', 'user.created']);
    expect(await types('?type=*&limit=2')).toHaveLength(2);
    expect(await types(`?userId=${user}`)).toEqual(['user.updated', 'user.created']);
    const [created] = (await list('?type=role.created')).data;
    expect(await types(`?actorId=${created!.actor.id}`)).toEqual(['role.created']);
    expect(await types(`?until=${halfway}`)).toEqual(['user.created', 'organization.created']);
    expect(await types(`?since=${halfway}&type=user.*`)).toEqual(['user.updated', 'user.created']);
    expect((await list(`?since=${halfway}&type=user.*`)).pagination).toMatchObject({ total: 2 });
  });

  it('includes events of descendant organizations only on request', async () => {
    const everything = (await list('?includeDescendants=true')).data;
    expect(everything.map(({ organization }) => organization.id).toSorted()).toEqual(
      [...Array(6).fill(acme), branch, branch].toSorted(),
    );
    expect(await types('?includeDescendants=true', branch)).toEqual(['user.created', 'organization.created']);
  });

  it('lists pages in both directions without repeating or skipping events', async () => {
    const all = await idsOf('?includeDescendants=true');
    for (const [sort, wanted] of Object.entries({ '-position': all, position: all.toReversed() })) {
      const seen: string[] = [];
      for (let after = ''; seen.length < all.length; after = `&after=${seen.at(-1)}`) {
        const { data, pagination } = await list(`?includeDescendants=true&limit=3&sort=${sort}${after}`);
        expect(pagination).toMatchObject({ total: 8, page: seen.length / 3 + 1 });
        seen.push(...data.map(({ id }) => id));
      }
      expect(seen).toEqual(wanted);
    }
    expect(await idsOf('?includeDescendants=true&page=2&limit=3')).toEqual(all.slice(3, 6));
  });

  it('counts new events in the exact total', async () => {
    const { id } = await newOrganization(app);
    for (const total of [0, 1, 2]) {
      expect((await list('?type=role.*', id)).pagination.total).toBe(total);
      await made(app, at(id, '/roles'), { name: `role ${total}` });
      await numberedEvents(app);
    }
  });

  it('returns 404 for an event outside the organization and the descendants', async () => {
    const [below] = (await list('', branch)).data;
    expect((await creator.get(events(acme, `/${below!.id}`)).expect(200)).body.data).toEqual(below);
    const [own] = await idsOf('');
    const elsewhere = (await newOrganization(app)).id;
    for (const [organization, id] of [
      [branch, own],
      [elsewhere, own],
      [acme, newId('event')],
    ] as const)
      expect((await app.api.platform.get(events(organization, `/${id}`)).expect(404)).body.code).toBe('event_not_found');
  });

  it('rejects unknown cursors and cursors of another organization', async () => {
    const refusal = async (after: string, organization = acme) =>
      (await app.api.platform.get(events(organization, `?after=${after}`)).expect(400)).body.code as string;
    const [own] = await idsOf('');
    expect(await refusal('usr_01kf2b8v3cf5h9r4n0j7d2q6xw')).toBe('invalid_cursor');
    expect(await refusal(newId('event'))).toBe('cursor_gone');
    for (const organization of [branch, (await newOrganization(app)).id])
      expect(await refusal(own!, organization)).toBe('cursor_gone');
    for (const query of ['?type=nonsense', '?since=yesterday']) await app.api.platform.get(events(acme, query)).expect(400);
  });

  it('has a list of the events that a user caused during break-glass access', async () => {
    const { id } = await newOrganization(app);
    const owner = await signedIn(app, id, { roles: ['owner'] });
    const requester = await signedIn(app, id, { roles: ['admin'] });
    const child = await newOrganization(app, { parentId: id });
    const grandchild = await newOrganization(app, { parentId: child.id });
    const requests = at(id, '/break-glass');
    const rename = (name: string) => requester.client.patch(at(id), { name }).expect(200);

    await rename('Before');
    const request = { reason: 'Production is down', durationSeconds: 300 };
    const pending = (await requester.client.post(requests, request).expect(201)).body.data;
    const path = `${requests}/${pending.id}`;
    const approved = (await owner.client.post(`${path}/approve`).expect(200)).body.data;
    await requester.client.delete(at(grandchild.id)).expect(204);
    await requester.client.post(`${path}/end`).expect(200);
    await rename('After');
    await numberedEvents(app);

    const ended = await read(app, path);
    const untilOf = ({ eventsUrl }: TestBody) => new URL(eventsUrl, app.url).searchParams.get('until');
    expect(pending.eventsUrl).toBeNull();
    expect([untilOf(approved), untilOf(ended)]).toEqual([approved.endsAt, ended.endedAt]);
    const { data } = (await owner.client.get(ended.eventsUrl).expect(200)).body;
    expect(data.map(({ type, actor }: TestBody) => [type, actor.id])).toEqual([['organization.deleted', requester.id]]);
  });
});
