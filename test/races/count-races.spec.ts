import { describe, expect, it, jest } from '@jest/globals';
import { Clock, newId, systemContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { OrganizationPurgeService } from '#directory/organizations';
import { DirectoryCountsQuery } from '../../libs/directory/memberships/src/directory-counts.query.js';
import { countDifferences } from '../support/counts.js';
import { at, made, newAddress, newOrganization, read } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

const WRITERS = 64;
const TURNS = process.env['LONG'] ? 40 : 5;
const HOUR_MS = 3_600_000;
const LONG_TEST_MS = 10 * 60_000;

jest.setTimeout(LONG_TEST_MS);

describe('a stored count', () => {
  const app = testApp({ databasePoolSize: 20 });

  const user = async (organization: string): Promise<string> =>
    (await made(app, at(organization, '/users'), { email: newAddress() })).id;
  const differences = () => countDifferences(app.database);

  it(`stays correct while ${WRITERS} writers change members`, async () => {
    const [{ id: organization }, { id: club }] = [await newOrganization(app), await newOrganization(app)];
    const members = await Promise.all(Array.from({ length: WRITERS }, () => user(organization)));
    const writers = { running: true };
    const reader = (async () => {
      let reads = 0;
      while (writers.running) {
        expect(await differences()).toEqual([]);
        reads++;
      }
      return reads;
    })();
    const memberChanges = members.map(async (id) => {
      for (let turn = 0; turn < TURNS; turn++) {
        await app.api.platform.post(at(club, '/members'), { userId: id }).expect(201);
        if (turn % 2 === 0) await app.api.platform.delete(at(club, `/members/${id}`)).expect(204);
      }
    });
    const creations = Array.from({ length: WRITERS }, async () => {
      for (let turn = 0; turn < TURNS; turn++) await user(club);
    });
    await Promise.all([...memberChanges, ...creations]).finally(() => (writers.running = false));
    expect(await reader).toBeGreaterThan(0);

    const remainingMembers = TURNS % 2 === 0 ? WRITERS : 0;
    const expected = WRITERS * TURNS + remainingMembers;
    const { memberCount } = await read(app, at(club));
    const totals = await Promise.all(
      ['/users', '/members'].map(
        async (list) => (await app.api.platform.get(at(club, `${list}?limit=1`)).expect(200)).body.pagination,
      ),
    );
    expect([memberCount, ...totals.map(({ total }) => total)]).toEqual([expected, expected, expected]);
    expect(await differences()).toEqual([]);
  });
});

describe('the stored counts of a purged organization', () => {
  // Without the worker that folds counts.
  const app = testApp({ role: 'api' });

  it('do not remain if the counts are folded during the purge', async () => {
    const { id } = await newOrganization(app);
    await made(app, at(id, '/users'), { email: newAddress() });
    await app.api.platform.delete(at(id)).expect(204);
    app.app.get(Clock).now = () => new Date(Date.now() + 40 * 24 * HOUR_MS);
    let purge: Promise<unknown> | undefined;
    await app.app.get(TransactionRunner).run(systemContext(newId('request')), async (ctx) => {
      expect(await app.app.get(DirectoryCountsQuery, { strict: false }).fold(ctx, 1_000)).toBeGreaterThan(0);
      purge = app.app.get(OrganizationPurgeService, { strict: false }).purgeDue();
      while ((await app.database.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)).length === 0);
    });
    await purge;

    expect(await app.database.query('SELECT FROM organizations WHERE id = $1', [id])).toEqual([]);
    expect(await app.database.query('SELECT * FROM directory_counts WHERE organization_id = $1', [id])).toEqual([]);
  });
});
