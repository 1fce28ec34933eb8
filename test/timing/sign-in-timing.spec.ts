import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { quantile } from '../support/quantile.js';
import { activeUser, from, login, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const LONG = process.env['LONG'] === '1';
/** The number of users. After a hundred failures, an account is locked for unknown IP addresses. */
const USERS = LONG ? 20 : 10;
const EMAILS_PER_HOUR = 5;
/** The minimum response time of operations that must not reveal accounts, minus 5 ms for early timers. */
const MIN_RESPONSE_MS = 195;
const TIMEOUT_MS = 30 * 60_000;
/** The maximum distance of the area under the curve from 0.5. */
const MAX_AUC_DISTANCE = LONG ? 0.05 : 0.35;

/** Returns the probability that a random time of `first` exceeds a random time of `second`. At 0.5, the times reveal nothing. */
function areaUnderCurve(first: readonly number[], second: readonly number[]): number {
  const wins = first.map((a) => second.reduce((sum, b) => sum + (a > b ? 1 : a === b ? 0.5 : 0), 0));
  return wins.reduce((sum, each) => sum + each, 0) / (first.length * second.length);
}

jest.setTimeout(TIMEOUT_MS);

describe('the response time', () => {
  const app = testApp({ trustProxy: ['127.0.0.1'] }, { passwordCost: 'production' });
  let org: TestBody;
  let active: TestBody[];
  let suspended: TestBody[];
  let address = 0;
  beforeAll(async () => {
    org = (await app.api.platform.post('/v1/organizations', { name: 'Timing' }).expect(201)).body.data;
    const createUsers = (kind: string) =>
      Promise.all(
        Array.from({ length: USERS }, (_, index) => activeUser(app, org.id, { email: `${kind}-${index}@example.com` })),
      );
    active = await createUsers('active');
    suspended = await createUsers('suspended');
    for (const { id } of suspended)
      await app.api.platform.post(`/v1/organizations/${org.id}/users/${id}/suspend`, {}).expect(200);
  });

  const fromNewAddress = () => from(`10.${Math.floor(++address / 65_536)}.${Math.floor(address / 256) % 256}.${address % 256}`);
  async function measureMs(request: () => PendingResponse, status: number): Promise<number> {
    const start = performance.now();
    await request().expect(status);
    return performance.now() - start;
  }

  it(`differs by less than ${LONG ? 5 : 40} % between kinds of sign-in failures`, async () => {
    const locked = from('203.0.113.9');
    for (let count = 0; count < 5; count++) await login(app, org.id, 'locked@example.com', 'wrong', locked).expect(401);
    await app.database.query(
      `UPDATE sign_in_failures SET locked_until = now() + interval '1 day' WHERE locked_until IS NOT NULL`,
    );
    const kinds: Record<string, (round: number) => Promise<number>> = {
      // Each unknown address has as many attempts as an existing address. An address with earlier attempts already has a row.
      'unknown user': (round) =>
        measureMs(() => login(app, org.id, `unknown-${round % USERS}@example.com`, PASSWORD, fromNewAddress()), 401),
      'wrong password': (round) =>
        measureMs(() => login(app, org.id, active[round % USERS].email, 'wrong', fromNewAddress()), 401),
      'suspended user': (round) =>
        measureMs(() => login(app, org.id, suspended[round % USERS].email, PASSWORD, fromNewAddress()), 401),
      'locked account': () => measureMs(() => login(app, org.id, 'locked@example.com', PASSWORD, locked), 429),
    };
    const names = Object.keys(kinds);
    const times = new Map(names.map((name) => [name, [] as number[]]));
    const rounds = LONG ? 1_000 : 40;
    for (let round = -5; round < rounds; round++) {
      // The order of the kinds differs in each round.
      for (let index = 0; index < names.length; index++) {
        const name = names[(index * 3 + round + names.length * 5) % names.length]!;
        const ms = await kinds[name]!(Math.max(0, round));
        if (round >= 0) times.get(name)!.push(ms);
      }
    }
    const medians = new Map([...times].map(([name, values]) => [name, quantile(values, 0.5)]));
    const spread = Math.max(...medians.values()) / Math.min(...medians.values()) - 1;
    const summary = [...medians].map(([name, ms]) => `${name} ${ms.toFixed(2)} ms`).join(', ');
    process.stdout.write(`${rounds} interleaved tries, medians: ${summary}; spread ${(spread * 100).toFixed(2)} %\n`);
    for (const [one, other] of [
      ['wrong password', 'unknown user'],
      ['suspended user', 'unknown user'],
    ] as const) {
      const auc = areaUnderCurve(times.get(one)!, times.get(other)!);
      process.stdout.write(`${one} beside ${other}: ${rounds} tries each, AUC ${auc.toFixed(3)}\n`);
      expect(Math.abs(auc - 0.5)).toBeLessThan(MAX_AUC_DISTANCE);
    }
    expect(spread).toBeLessThan(LONG ? 0.05 : 0.4);
  });

  it('reveals no account in password resets and sign-ups', async () => {
    const userCount = LONG ? 200 : 4;
    const rounds = userCount * EMAILS_PER_HOUR;
    await app.api.platform.patch(`/v1/organizations/${org.id}`, { settings: { allowPublicSignup: true } }).expect(200);
    const operations: Record<string, (email: string) => PendingResponse> = {
      'forgot-password': (email) =>
        app.api.anonymous.post('/v1/auth/forgot-password', { organization: org.id, email }, fromNewAddress()),
      'sign-up': (email) =>
        app.api.anonymous.post('/v1/auth/sign-up', { organization: org.id, email, password: PASSWORD }, fromNewAddress()),
    };
    for (const [name, send] of Object.entries(operations)) {
      const emails = Array.from({ length: userCount }, (_, index) => `${name}-${index}@example.com`);
      for (const email of emails) await activeUser(app, org.id, { email });
      const existing: number[] = [];
      const nonexistent: number[] = [];
      for (let round = 0; round < rounds; round++) {
        existing.push(await measureMs(() => send(emails[round % userCount]!), 202));
        nonexistent.push(await measureMs(() => send(`nobody-${name}-${round}@example.com`), 202));
      }
      const auc = areaUnderCurve(existing, nonexistent);
      process.stdout.write(`${name}: ${rounds} tries each with and without an account, AUC ${auc.toFixed(3)}\n`);
      expect(Math.abs(auc - 0.5)).toBeLessThan(MAX_AUC_DISTANCE);
      // The short run has too few attempts for statistics and checks only the minimum time.
      expect(Math.min(...existing, ...nonexistent)).toBeGreaterThan(MIN_RESPONSE_MS);
    }
  });

  it(`grows less than ${LONG ? 3 : 10} times for reads during ${LONG ? 200 : 60} concurrent sign-ins`, async () => {
    const path = `/v1/organizations/${org.id}/users/${active[0].id}`;
    const reads = async (shouldContinue: () => boolean): Promise<number[]> => {
      const times: number[] = [];
      while (shouldContinue()) times.push(await measureMs(() => app.api.platform.get(path), 200));
      return times;
    };
    const alone = LONG ? 4_000 : 600;
    let count = 0;
    await reads(() => ++count < 300);
    count = 0;
    const before = await reads(() => ++count <= alone);
    let running = true;
    const logins = Promise.all(
      Array.from({ length: LONG ? 200 : 60 }, (_, index) =>
        login(app, org.id, active[index % USERS].email, PASSWORD, fromNewAddress()).expect(200),
      ),
    ).finally(() => {
      running = false;
    });
    const during = await reads(() => running);
    await logins;
    const [p99Before, p99During] = [quantile(before, 0.99), quantile(during, 0.99)];
    process.stdout.write(
      `p99 of reads: ${p99Before.toFixed(2)} ms alone (${before.length}), ${p99During.toFixed(2)} ms beside ${LONG ? 200 : 60} logins (${during.length}), ${(p99During / p99Before).toFixed(2)} times\n`,
    );
    expect(during.length).toBeGreaterThan(LONG ? 200 : 50);
    expect(p99During).toBeLessThan(p99Before * (LONG ? 3 : 10));
  });

  it('stays low for a sign-in when another tenant is attacked', async () => {
    const other = (await app.api.platform.post('/v1/organizations', { name: 'Other' }).expect(201)).body.data;
    const { email } = await activeUser(app, other.id, { email: 'other@example.com' });
    const signIns = async (): Promise<number[]> => {
      const times: number[] = [];
      for (let count = 0; count < 20; count++)
        times.push(await measureMs(() => login(app, other.id, email, PASSWORD, from('198.51.100.7')), 200));
      return times;
    };
    const usual = quantile(await signIns(), 0.5);
    const attacker = from('203.0.113.66');
    const statuses = new Map<number, number>();
    const stop = new AbortController();
    const attack = (async () => {
      for (let round = 0; !stop.signal.aborted; round++) {
        const guess = (_: unknown, index: number) => login(app, org.id, `guess-${round}-${index}@example.com`, 'wrong', attacker);
        for (const { status } of await Promise.all(Array.from({ length: 100 }, guess)))
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    })();
    const during = await signIns().finally(() => stop.abort());
    await attack;
    const [median, worst] = [quantile(during, 0.5), Math.max(...during)];
    process.stdout.write(
      `sign-in: ${usual.toFixed(0)} ms usually; beside 100 wrong ones at a time ${median.toFixed(0)} ms in median, ${worst.toFixed(0)} ms at most; they got ${JSON.stringify(Object.fromEntries(statuses))}\n`,
    );
    expect([...statuses.keys()].toSorted()).toEqual([401, 429]);
    expect(median).toBeLessThan(2 * usual + 200);
  });
});
