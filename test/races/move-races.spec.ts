import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { at, made, newOrganization } from '../support/organizations.js';
import { eightTimes, fourAgainstFour, LONG_TEST_MS, rounds, ROUNDS } from '../support/races.js';
import { testApp } from '../support/test-app.js';

jest.setTimeout(LONG_TEST_MS);

describe('a race of moves', () => {
  const app = testApp();
  let root: string;
  beforeAll(async () => {
    root = (await newOrganization(app)).id;
  });

  const child = async (parentId: string): Promise<string> => (await newOrganization(app, { parentId })).id;
  const move = (id: string, parentId: string) => app.api.platform.post(at(id, '/move'), { parentId });

  /** Returns the organizations whose ancestors are not the ancestors of the parent and the parent. */
  const inconsistent = () =>
    app.database.query(
      `SELECT c.id FROM organizations c JOIN organizations p ON p.tenant_id = c.tenant_id AND p.id = c.parent_id
       WHERE c.ancestor_ids <> p.ancestor_ids || p.id OR c.id = ANY (c.ancestor_ids)`,
    );

  it('never makes a cycle: one direction wins, the other gets 409', async () => {
    const outcomes = await rounds(async (round) => {
      const [left, right] = [await child(root), await child(root)];
      await child(left);
      return fourAgainstFour(
        round,
        () => move(left, right),
        () => move(right, left),
      );
    });
    const [won, lost] = [
      [200, 200, 200, 200],
      [409, 409, 409, 409],
    ];
    const expected = new Set([JSON.stringify({ left: won, right: lost }), JSON.stringify({ left: lost, right: won })]);
    expect(Object.keys(outcomes).filter((outcome) => !expected.has(outcome))).toEqual([]);
    expect(await inconsistent()).toEqual([]);
  });

  it('gives children that are created during the move the new ancestors', async () => {
    await rounds(async (round) => {
      const [parent, target] = [await child(root), await child(root)];
      await fourAgainstFour(
        round,
        () => move(parent, target),
        () => app.api.platform.post('/v1/organizations', { name: `Child ${round}`, parentId: parent }),
      );
    });
    expect(await inconsistent()).toEqual([]);
  });

  it('leaves no roles of previous ancestors', async () => {
    const outcomes = await rounds(async (round) => {
      const [from, to] = [await child(root), await child(root)];
      const moved = await child(from);
      const role = await made(app, at(from, '/roles'), { name: 'inherited', permissions: ['invoices:read'] });
      const user = await made(app, at(moved, '/users'), { email: `race-${round}@example.com` });
      let created = 0;
      const assignments = [
        () => app.api.platform.post(at(moved, `/users/${user.id}/roles`), { roleId: role.id }),
        () => app.api.platform.post(at(moved, '/members'), { userId: user.id, role: role.id }),
        () => app.api.platform.post(at(moved, '/users'), { email: `race-${round}-${created++}@example.com`, roles: [role.id] }),
        () => app.api.platform.patch(at(moved), { settings: { defaultRole: role.id } }),
      ];
      const { left } = await fourAgainstFour(
        round,
        () => move(moved, to),
        assignments[Math.floor(round / 2) % assignments.length]!,
      );
      return new Set(left).size === 1 ? left[0] : left;
    });
    expect(Object.keys(outcomes).filter((outcome) => outcome !== '200' && outcome !== '409')).toEqual([]);
    const lost = await app.database.query(
      `SELECT a.role_id FROM role_assignments a JOIN organizations o ON o.tenant_id = a.tenant_id AND o.id = a.organization_id
       JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
       WHERE NOT r.organization_id = ANY (o.ancestor_ids || o.id)
       UNION ALL
       SELECT r.id FROM organizations o JOIN roles r ON r.tenant_id = o.tenant_id AND r.id = o.settings_overrides ->> 'defaultRole'
       WHERE NOT r.organization_id = ANY (o.ancestor_ids || o.id)`,
    );
    expect(lost).toEqual([]);
  });

  it('publishes one event for eight equal requests', async () => {
    const outcomes = await rounds(
      async () => {
        const [moved, target] = [await child(root), await child(root)];
        const statuses = await eightTimes(() => move(moved, target));
        const sql = `SELECT FROM events WHERE type = 'organization.moved' AND organization_id = $1`;
        return { statuses, events: (await app.database.query(sql, [moved])).length };
      },
      Math.min(ROUNDS, 50),
    );
    expect(Object.keys(outcomes)).toEqual([JSON.stringify({ statuses: Array(8).fill(200), events: 1 })]);
  });

  it('lets a deletion of the new parent or the move win, never both', async () => {
    const outcomes = await rounds(async () => {
      const [moved, target] = [await child(root), await child(root)];
      const responses = await Promise.all([move(moved, target).whenServed(), app.api.platform.delete(at(target)).whenServed()]);
      return responses.map(({ status }) => status);
    });
    const allowed = new Set([JSON.stringify([200, 409]), JSON.stringify([404, 204])]);
    expect(Object.keys(outcomes).filter((outcome) => !allowed.has(outcome))).toEqual([]);
  });

  it('never lets a reader see the organization at neither or both parents', async () => {
    const [left, right] = [await child(root), await child(root)];
    const moved = await child(left);
    const leaf = await child(moved);
    const moves = { done: false };
    const seen = new Set<string>();
    const key = await made(app, at(leaf, '/api-keys'), { name: 'k', scopes: ['organizations:read'] });
    const read = async () => {
      while (!moves.done) {
        const { body } = await app.api.platform.get(at(root, '/hierarchy')).expect(200);
        const paths = pathsTo(body.data, leaf);
        seen.add(JSON.stringify(paths));
        await app.api.as(key.key).get(at(leaf)).expect(200);
      }
    };
    const readers = [read(), read()];
    for (let round = 0; round < ROUNDS; round++) await move(moved, round % 2 === 0 ? right : left).expect(200);
    moves.done = true;
    await Promise.all(readers);
    const allowed = new Set([left, right].map((parent) => JSON.stringify([[root, parent, moved, leaf]])));
    expect([...seen].filter((path) => !allowed.has(path))).toEqual([]);
    expect(seen.size).toBe(2);
  });
});

interface Node {
  id: string;
  children: Node[];
}

/** Returns all paths from the node to the organization. */
const pathsTo = ({ id, children }: Node, organization: string): string[][] =>
  id === organization ? [[id]] : children.flatMap((node) => pathsTo(node, organization)).map((path) => [id, ...path]);
