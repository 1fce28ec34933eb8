import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { newId, type OrganizationScope, type RequestContext, systemContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { type DomainEvent, DomainEventBus, EVENTS, OnDomainEvent } from '#platform/events';
import { EventSubscribersService } from '../../libs/platform/event-log/src/subscribers/event-subscribers.service.js';
import { CrmSyncModule } from '../../examples/crm-sync.module.js';
import { deliveryTestService, eventually } from '../support/delivery-app.js';
import { insertOrganizations } from '../support/insert-rows.js';
import type { TestBody } from '../support/http-client.js';
import { testReceiver } from '../support/receiver.js';
import { sized } from '../support/test-size.js';

const ROOT = join(import.meta.dirname, '../..');

const deliveryTest = deliveryTestService();

/** The names of the called handlers, and the function that they call. */
const calls: string[] = [];
let whenCalled: (handler: string, ctx: RequestContext, event: DomainEvent) => void | Promise<void> = () => undefined;
beforeEach(() => {
  calls.length = 0;
  whenCalled = () => undefined;
});

async function called(handler: string, ctx: RequestContext, event: DomainEvent): Promise<void> {
  calls.push(handler);
  await whenCalled(handler, ctx, event);
}

@Injectable()
class Handlers {
  @OnDomainEvent('role.created', { mode: 'transactional' })
  inTransaction(ctx: RequestContext, event: DomainEvent<'role.created'>): Promise<void> {
    return called('transactional', ctx, event);
  }

  @OnDomainEvent(['role.created', 'role.updated'], { mode: 'after-commit' })
  afterCommit(ctx: RequestContext, event: DomainEvent<'role.created' | 'role.updated'>): Promise<void> {
    return called('after-commit', ctx, event);
  }

  @OnDomainEvent('role.deleted', { mode: 'durable', name: 'deleted-roles' })
  durable(ctx: RequestContext, event: DomainEvent<'role.deleted'>): Promise<void> {
    return called('durable', ctx, event);
  }
}

@Module({ providers: [Handlers] })
class HandlersModule {}

/** A handler of a higher layer: its module imports the module of `Handlers`. */
@Injectable()
class UpperHandlers {
  @OnDomainEvent('role.created', { mode: 'transactional' })
  above(ctx: RequestContext, event: DomainEvent<'role.created'>): Promise<void> {
    return called('transactional above', ctx, event);
  }
}

@Module({ imports: [HandlersModule], providers: [UpperHandlers] })
class UpperModule {}

describe('transactional and after-commit handlers', () => {
  let app: INestApplicationContext;
  beforeAll(async () => {
    app = await deliveryTest.start({}, [UpperModule]);
  });
  afterAll(() => deliveryTest.reset());

  const createRole = (then: () => void = () => undefined): Promise<void> =>
    app.get(TransactionRunner, { strict: false }).run(deliveryTest.context(), async (ctx) => {
      await app
        .get(DomainEventBus, { strict: false })
        .publish(ctx, 'role.created', deliveryTest.organization, EVENTS['role.created'].example);
      calls.push('published');
      then();
    });
  const eventCount = async (): Promise<number> => (await deliveryTest.rows('SELECT FROM events')).length;

  it('run in the transaction or after its commit, in the order of the layers', async () => {
    const seen: [string, boolean, string][] = [];
    whenCalled = (handler, ctx, event) => void seen.push([handler, ctx.transaction !== undefined, event.tenantId]);
    await createRole();
    expect(calls).toEqual(['transactional', 'transactional above', 'published', 'after-commit']);
    const { tenantId } = deliveryTest.organization;
    expect(seen).toEqual([
      ['transactional', true, tenantId],
      ['transactional above', true, tenantId],
      ['after-commit', false, tenantId],
    ]);
  });

  const failIn = (failing: string) => (handler: string) => {
    if (handler === failing) throw new Error(`${failing} fails`);
  };

  it('roll the change back if a transactional handler throws', async () => {
    whenCalled = failIn('transactional above');
    const before = await eventCount();
    await expect(createRole()).rejects.toThrow('transactional above fails');
    expect(await eventCount()).toBe(before);
    expect(calls).not.toContain('after-commit');
  });

  it('do not run after the commit if the transaction fails', async () => {
    await expect(createRole(() => failIn('change')('change'))).rejects.toThrow('change fails');
    expect(calls).toEqual(['transactional', 'transactional above', 'published']);
  });

  it('keep the change if an after-commit handler throws', async () => {
    whenCalled = failIn('after-commit');
    const before = await eventCount();
    await createRole();
    expect(await eventCount()).toBe(before + 1);
  });
});

describe('durable handler', () => {
  afterEach(() => deliveryTest.reset());

  const cursor = async (): Promise<TestBody> => {
    const [row] = await deliveryTest.rows(
      `SELECT position, attempts, extract(epoch FROM due_at - clock_timestamp())::float8 AS due_in, stopped_at, last_error
       FROM event_subscriber_cursors WHERE lease_owner IS NULL`,
    );
    return row;
  };

  it('receives only events of its types, in order', async () => {
    const app = await deliveryTest.start({}, [HandlersModule]);
    const ids: string[] = [];
    whenCalled = (handler, _ctx, event) => {
      if (handler === 'durable') ids.push(event.id);
    };
    await deliveryTest.publish(app, 20, 'role.deleted');
    await deliveryTest.publish(app, 20, 'role.updated');
    await deliveryTest.publish(app, 20, 'role.deleted');
    await eventually(() => ids.length === 40, 10_000, 'all handled');
    const logged = await deliveryTest.rows<{ id: string }>(`SELECT id FROM events WHERE type = 'role.deleted' ORDER BY position`);
    expect(ids).toEqual(logged.map(({ id }) => id));
    await eventually(async () => (await cursor())?.position === '60', 5_000, 'the cursor is at the end');
  });

  it('is retried with increasing delays, stops after ten failures, and can be resumed by an operator', async () => {
    const app = await deliveryTest.start({}, [HandlersModule]);
    const service = app.get(EventSubscribersService, { strict: false });
    const operator: RequestContext = { ...systemContext(newId('request')), caller: { kind: 'platform', permissions: ['*'] } };
    whenCalled = () => {
      throw new Error('The CRM is away.');
    };
    // The next attempt can begin before the test reads the row. The log has all delays.
    const delays: number[] = [];
    const ignore = () => undefined;
    const error = (_fields: unknown, message = '') => {
      const delay = /failed .* The next attempt is in (\d+) s\.$/.exec(message)?.[1];
      if (delay) delays.push(Number(delay));
    };
    app.useLogger({ log: ignore, warn: ignore, error });
    await deliveryTest.publish(app, 3, 'role.deleted');
    for (let attempt = 1; attempt < 10; attempt++) {
      await eventually(() => delays.length >= attempt, 10_000, `attempt ${attempt}`);
      const waiting = await cursor();
      // Longer delays are still in the row.
      if (attempt > 2) expect(Math.round(waiting?.due_in ?? 0)).toBeGreaterThan(delays.at(-1)! - 10);
      await deliveryTest.sql.query(
        'UPDATE event_subscriber_cursors SET due_at = now() WHERE lease_owner IS NULL AND due_at IS NOT NULL',
      );
    }
    expect(delays).toEqual([1, 4, 16, 64, 256, 1_024, 3_600, 3_600, 3_600]);
    await eventually(async () => (await cursor())?.stopped_at != null, 10_000, 'stopped');
    expect(await cursor()).toMatchObject({ position: '0', attempts: 10, due_in: null, last_error: 'The CRM is away.' });

    // Later events are not handled before the failed event.
    await deliveryTest.publish(app, 1, 'role.deleted');
    await eventually(async () => (await service.list(operator))[0]!.waitingEvents === 4, 10_000, 'the fourth is numbered');
    const [first] = await deliveryTest.rows<{ id: string }>('SELECT id FROM events WHERE position = 1');
    const { tenantId } = deliveryTest.organization;
    expect(await service.list(operator)).toMatchObject([
      {
        name: 'deleted-roles',
        types: ['role.deleted'],
        lagSeconds: expect.any(Number),
        stoppedCount: 1,
        stopped: [{ tenantId, failedEventId: first!.id, attempts: 10, lastError: 'The CRM is away.' }],
      },
    ]);
    expect(calls).toHaveLength(10);

    await service.resume(operator, 'deleted-roles', { tenantId, skipsEvent: false });
    await eventually(async () => (await cursor())?.attempts === 1, 10_000, 'the failed event is retried');
    await deliveryTest.sql.query('UPDATE event_subscriber_cursors SET stopped_at = now(), due_at = NULL');
    const ids: string[] = [];
    whenCalled = (_handler, _ctx, event) => void ids.push(event.id);
    await service.resume(operator, 'deleted-roles', { tenantId, skipsEvent: true });
    await eventually(() => ids.length === 3, 10_000, 'the others are handled');
    expect(ids).not.toContain(first!.id);
    for (const [name, code] of [
      ['deleted-roles', 'event_subscriber_not_stopped'],
      ['other-roles', 'event_subscriber_not_found'],
    ] as const)
      await expect(service.resume(operator, name, { tenantId, skipsEvent: false })).rejects.toMatchObject({ code });
  });

  it('delays no other tenants if the handler fails for one tenant', async () => {
    const id = newId('organization');
    const other: OrganizationScope = { ...deliveryTest.organization, id, tenantId: id, slug: id.slice(-20) };
    await insertOrganizations(deliveryTest.sql, other);
    await deliveryTest.sql.query('INSERT INTO event_streams (tenant_id) VALUES ($1)', [id]);
    const app = await deliveryTest.start({}, [HandlersModule]);
    const handled: string[] = [];
    whenCalled = (_handler, _ctx, event) => {
      if (event.tenantId !== id) throw new Error('Only for this tenant.');
      handled.push(event.id);
    };
    await deliveryTest.publish(app, 1, 'role.deleted');
    await eventually(async () => ((await cursor())?.attempts ?? 0) > 0, 10_000, 'failed once');
    await deliveryTest.publish(app, 5, 'role.deleted', other);
    await eventually(() => handled.length === 5, 10_000, 'the other tenant is served');
  });

  it('finishes the event in progress before the process stops, and handles the next event after a restart', async () => {
    const first = await deliveryTest.start({}, [HandlersModule]);
    const ids: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    whenCalled = async (_handler, _ctx, event) => {
      ids.push(event.id);
      if (ids.length === 2) await held;
    };
    await deliveryTest.publish(first, 5, 'role.deleted');
    await eventually(() => ids.length === 2, 10_000, 'the second is under way');
    const stopped = deliveryTest.stop();
    release();
    await stopped;
    expect(ids).toHaveLength(2);
    expect(await cursor()).toMatchObject({ position: '2' });
    await deliveryTest.start({}, [HandlersModule]);
    await eventually(() => ids.length === 5, 10_000, 'the others are handled');
    expect(new Set(ids).size).toBe(5);
  });
});

/** Runs the module in docs/guides/event-subscribers.md, first in a separate process, which is killed. */
describe('example in the guide for event subscribers', () => {
  const EVENTS_COUNT = sized(200, 4_000, 10_000);
  const HANDLED_BEFORE_KILL = EVENTS_COUNT / 10;
  let killed: ChildProcess | undefined;
  // The request in progress at the kill gets no response.
  const crm = testReceiver((_, index) => ({ delayMs: index === HANDLED_BEFORE_KILL ? 60_000 : 0 }));
  beforeAll(() => {
    process.env['CRM_URL'] = crm.url.replace(/\/$/, '');
  });
  afterAll(async () => {
    delete process.env['CRM_URL'];
    killed?.kill('SIGKILL');
    await deliveryTest.reset();
  });

  async function startService(): Promise<ChildProcess> {
    const support = join(ROOT, 'test/support');
    const { PATH, CRM_URL } = process.env;
    const SECRETS_KEY = randomBytes(32).toString('base64');
    const env = { PATH, CRM_URL, DATABASE_URL: deliveryTest.databaseUrl, SECRETS_KEY, ROLE: 'all', LOG_LEVEL: 'warn' };
    const parameters = ['--import', join(support, 'register-typescript.mjs'), join(support, 'crm-sync-process.ts')];
    const service = spawn(process.execPath, parameters, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    killed = service;
    await Promise.race([once(service.stdout, 'data'), once(service, 'close')]);
    expect(service.exitCode).toBeNull();
    return service;
  }

  it('equals the file that the tests run', () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/event-subscribers.md'), 'utf8');
    expect(guide).toContain(readFileSync(join(ROOT, 'examples/crm-sync.module.ts'), 'utf8'));
  });

  it(`handles ${EVENTS_COUNT} events in order, even if a process is killed`, async () => {
    // A process with the role `api` runs no relay. Only the processes with the handler relay events.
    const publisher = await deliveryTest.start({ role: 'api' });
    const first = await startService();
    await deliveryTest.publish(publisher, EVENTS_COUNT / 2);
    await eventually(() => crm.requests.length > HANDLED_BEFORE_KILL, 60_000, 'some events are handled');
    first.kill('SIGKILL');
    await once(first, 'close');
    await deliveryTest.publish(publisher, EVENTS_COUNT / 2);
    // Ends the lease of the killed process.
    await deliveryTest.sql.query('UPDATE event_subscriber_cursors SET due_at = now()');
    await Promise.all([deliveryTest.start({}, [CrmSyncModule]), deliveryTest.start({}, [CrmSyncModule])]);
    const last = async () =>
      Number((await deliveryTest.rows<{ position: string }>('SELECT position FROM event_subscriber_cursors'))[0]!.position);
    await eventually(async () => (await last()) === EVENTS_COUNT, 120_000, 'all handled');

    const received = crm.requests.map(({ headers }) => String(headers['idempotency-key']));
    expect(crm.requests.filter(({ body }) => body.includes('null'))).toEqual([]);
    // Only the event in progress at the kill is received twice. No other event is received between the two requests.
    const repeated = received.filter((id, index) => index > 0 && received[index - 1] === id);
    expect(repeated).toEqual([received[HANDLED_BEFORE_KILL]]);
    const logged = await deliveryTest.rows<{ id: string }>('SELECT id FROM events ORDER BY position');
    expect(received.filter((id, index) => received[index - 1] !== id)).toEqual(logged.map(({ id }) => id));
    expect(logged).toHaveLength(EVENTS_COUNT);
  }, 240_000);
});
