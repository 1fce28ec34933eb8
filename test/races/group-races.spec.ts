import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { countDifferences } from '../support/counts.js';
import { at, made, newAddress, newOrganization } from '../support/organizations.js';
import { eightTimes, fourAgainstFour, LONG_TEST_MS, oneWins, rounds } from '../support/races.js';
import { testApp } from '../support/test-app.js';

jest.setTimeout(LONG_TEST_MS);

describe('eight requests about a group at once', () => {
  const app = testApp();
  let org: string;
  let group: string;

  const user = async (): Promise<string> => (await made(app, at(org, '/users'), { email: newAddress() })).id;
  const members = (id = group): string => at(org, `/groups/${id}/members`);
  const add = (id: string, path = members()) => app.api.platform.post(path, { userIds: [id] });

  beforeAll(async () => {
    org = (await newOrganization(app)).id;
    group = (await made(app, at(org, '/groups'), { name: 'Engineering' })).id;
  });

  it('add a member once', async () => {
    const types = await app.eventTypes();
    const outcomes = await rounds(async () => {
      const id = await user();
      return eightTimes(() => add(id));
    });
    expect(Object.keys(outcomes)).toEqual([oneWins(200, 200)]);
    const added = (await app.eventTypes()).slice(types.length).filter((type) => type === 'group.member_added');
    expect(added).toHaveLength(Object.values(outcomes)[0]!);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('never leave a member of a group without a membership', async () => {
    const child = (await newOrganization(app, { parentId: org })).id;
    const team = (await made(app, at(child, '/groups'), { name: 'Team' })).id;
    await rounds(async (round) => {
      const id = await user();
      await app.api.platform.post(at(child, '/members'), { userId: id }).expect(201);
      const { left, right } = await fourAgainstFour(
        round,
        () => add(id, at(child, `/groups/${team}/members`)),
        () => app.api.platform.delete(at(child, `/members/${id}`)),
      );
      expect(left.filter((status) => ![200, 400].includes(status))).toEqual([]);
      expect(right).toEqual([204, 404, 404, 404]);
      return 'removed';
    });
    expect(await app.database.query('SELECT FROM group_members WHERE group_id = $1', [team])).toEqual([]);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('keep the counts correct while members are suspended and activated', async () => {
    await rounds(async (round) => {
      const id = await user();
      const path = at(org, `/users/${id}`);
      await fourAgainstFour(
        round,
        () => (round % 2 === 0 ? add(id) : app.api.platform.delete(`${members()}/${id}`)),
        () => app.api.platform.post(`${path}/${round % 3 === 0 ? 'activate' : 'suspend'}`),
      );
      return 'changed';
    });
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('never leave a group with a deleted role', async () => {
    await rounds(async (round) => {
      const role = (await made(app, at(org, '/roles'), { name: `Role ${round}`, permissions: ['x:y'] })).id;
      const { left, right } = await fourAgainstFour(
        round,
        () => app.api.platform.post(at(org, `/groups/${group}/roles`), { roleId: role }),
        () => app.api.platform.delete(at(org, `/roles/${role}`)),
      );
      expect([left.filter((status) => status >= 500), right.filter((status) => status >= 500)]).toEqual([[], []]);
      if (left.includes(201)) await app.api.platform.delete(at(org, `/groups/${group}/roles/${role}`)).expect(204);
      return 'raced';
    });
    const orphans = await app.database.query(
      `SELECT FROM group_role_assignments a WHERE role_id LIKE 'role\\_0%' AND NOT EXISTS (SELECT FROM roles r WHERE r.id = a.role_id)`,
    );
    expect(orphans).toEqual([]);
  });

  it('leave neither members nor roles of a deleted group', async () => {
    await rounds(async (round) => {
      const id = await user();
      const doomed = (await made(app, at(org, '/groups'), { name: `Doomed ${round}` })).id;
      const { left, right } = await fourAgainstFour(
        round,
        () => add(id, members(doomed)),
        () => app.api.platform.delete(at(org, `/groups/${doomed}`)),
      );
      expect(left.filter((status) => ![200, 404].includes(status))).toEqual([]);
      expect(right).toEqual([204, 404, 404, 404]);
      return 'deleted';
    });
    expect(
      await app.database.query('SELECT FROM group_members m WHERE NOT EXISTS (SELECT FROM groups g WHERE g.id = m.group_id)'),
    ).toEqual([]);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('publish no removal of a member after the deletion of the group', async () => {
    const child = (await newOrganization(app, { parentId: org })).id;
    const deletedGroups: string[] = [];
    await rounds(async (round) => {
      const id = await user();
      await app.api.platform.post(at(child, '/members'), { userId: id }).expect(201);
      const deleted = (await made(app, at(child, '/groups'), { name: `Deleted ${round}` })).id;
      await add(id, at(child, `/groups/${deleted}/members`)).expect(200);
      const { left, right } = await fourAgainstFour(
        round,
        () => app.api.platform.delete(at(child, `/members/${id}`)),
        () => app.api.platform.delete(at(child, `/groups/${deleted}`)),
      );
      expect([left, right]).toEqual([
        [204, 404, 404, 404],
        [204, 404, 404, 404],
      ]);
      deletedGroups.push(deleted);
      return 'deleted';
    });
    const counts = await app.database.query(
      `SELECT dimension, sum(amount)::int AS amount FROM (
         SELECT dimension, amount FROM directory_counts UNION ALL SELECT dimension, amount FROM directory_count_deltas
       ) c WHERE dimension = ANY ($1) GROUP BY dimension HAVING sum(amount) <> 0`,
      [deletedGroups],
    );
    expect(counts).toEqual([]);
    const late = await app.database.query(
      `SELECT r.id FROM events r JOIN events d ON d.payload::jsonb->'data'->>'id' = r.payload::jsonb->'data'->'group'->>'id' AND d.seq < r.seq
       WHERE r.type = 'group.member_removed' AND d.type = 'group.deleted'`,
    );
    expect(late).toEqual([]);
  });
});
