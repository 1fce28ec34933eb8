import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { startIssuer } from '../support/oauth-application.js';
import { testReceiver, type ReceivedRequest, type ReceiverResponse } from '../support/receiver.js';
import { EVENTS, POLL, PUSH, SsfReceiver } from '../support/shared-signals.js';

const SETTINGS = { webhookRetryScheduleMs: Array.from({ length: 20 }, () => 100) };

let app: TestApp;
let answer: (request: ReceivedRequest) => ReceiverResponse;
const server = testReceiver((request) => answer(request));
const platform = () => app.api.platform;

beforeAll(async () => {
  app = await startIssuer(SETTINGS);
});
beforeEach(() => {
  answer = () => ({ status: 202 });
});
afterAll(() => app?.close());

let homes = 0;

/** An organization with a receiver and users whose suspensions are events. */
class Place {
  private constructor(
    readonly home: string,
    readonly receiver: SsfReceiver,
    readonly users: readonly string[],
  ) {}

  static async create(userCount: number): Promise<Place> {
    const home = (
      await platform()
        .post('/v1/organizations', { name: `Home ${++homes}` })
        .expect(201)
    ).body.data.id;
    const users: string[] = [];
    for (let count = 0; count < userCount; count++) {
      const path = `/v1/organizations/${home}/users`;
      const { id } = (
        await platform()
          .post(path, { email: `u${count}@home-${homes}.example` })
          .expect(201)
      ).body.data;
      await platform().post(`${path}/${id}/activate`).expect(200);
      users.push(id);
    }
    return new Place(home, await SsfReceiver.create(app, server, home), users);
  }

  async suspend(...users: readonly string[]): Promise<void> {
    for (const id of users)
      await platform().post(`/v1/organizations/${this.home}/users/${id}/suspend`, { reason: 'Left' }).expect(200);
  }

  async activate(...users: readonly string[]): Promise<void> {
    for (const id of users) await platform().post(`/v1/organizations/${this.home}/users/${id}/activate`).expect(200);
  }

  /** Returns the deliveries of a stream, oldest first. */
  deliveries(stream: string) {
    return app.database.query<{ status: string; attempts: number; error: string | null }>(
      `SELECT status, attempt_count AS attempts, last_error_kind AS error FROM deliveries WHERE webhook_id = $1 ORDER BY sequence`,
      [stream],
    );
  }
}

const subjectsOf = (sets: readonly { claims: { sub_id: Record<string, unknown> } }[]) =>
  sets.map(({ claims }) => claims.sub_id['sub']);

describe('push', () => {
  it('sends the header of the receiver, and repeats a token unchanged until it is accepted', async () => {
    const place = await Place.create(1);
    const { receiver } = place;
    let requests = 0;
    answer = () => ({ status: ++requests < 4 ? 503 : 202 });
    const delivery = { method: PUSH, endpoint_url: receiver.endpointUrl, authorization_header: 'Bearer secret-of-the-receiver' };
    const stream = await receiver.createStream(PUSH, { delivery });
    await place.suspend(...place.users);
    await receiver.received(4);
    expect(receiver.requests.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill('Bearer secret-of-the-receiver'));
    const sets = await receiver.pushed();
    expect(new Set(sets.map(({ claims }) => JSON.stringify(claims))).size).toBe(1);
    await eventually(async () => (await place.deliveries(stream))[0]?.status === 'succeeded', 10_000, 'the delivery succeeded');
    expect(await place.deliveries(stream)).toEqual([{ status: 'succeeded', attempts: 4, error: null }]);
    const [row] = await app.database.query(
      `SELECT string_agg(concat(request_headers, error_message, response_headers), '') AS stored FROM delivery_attempts WHERE webhook_id = $1`,
      [stream],
    );
    expect(row?.['stored']).not.toContain('secret-of-the-receiver');
  });

  it('loses nothing and keeps the order when the receiver was down', async () => {
    const place = await Place.create(8);
    const { receiver } = place;
    answer = () => ({ status: 503 });
    const stream = await receiver.createStream(PUSH);
    await place.suspend(...place.users);
    await place.activate(place.users[0]!, place.users[3]!);
    await receiver.received(3);
    // Only the oldest event is attempted, so that no later one overtakes it.
    expect(new Set(subjectsOf(await receiver.pushed()))).toEqual(new Set([place.users[0]]));
    const downUntil = receiver.requests.length;
    answer = () => ({ status: 202 });
    await eventually(
      async () => (await place.deliveries(stream)).filter(({ status }) => status === 'succeeded').length === 10,
      20_000,
      'all deliveries succeeded',
    );
    const accepted = (await receiver.pushed()).slice(downUntil);
    const order = [...place.users, place.users[0], place.users[3]];
    // The last request of the outage can still have been on its way.
    expect(subjectsOf(accepted).slice(-order.length)).toEqual(order);
    expect(accepted.slice(-2).map(({ uri }) => uri)).toEqual([EVENTS.accountEnabled, EVENTS.accountEnabled]);
  });

  it('does not repeat a token that the receiver rejects with an error, and continues with the next', async () => {
    const place = await Place.create(3);
    const { receiver } = place;
    const rejection = JSON.stringify({ err: 'invalid_request', description: 'No such user' });
    let requests = 0;
    answer = () => (++requests === 1 ? { status: 400, body: rejection } : { status: 202 });
    const stream = await receiver.createStream(PUSH);
    await place.suspend(...place.users);
    await receiver.received(3);
    await eventually(
      async () => (await place.deliveries(stream)).every(({ status }) => status !== 'pending'),
      10_000,
      'no delivery is pending',
    );
    expect(await place.deliveries(stream)).toEqual([
      { status: 'failed', attempts: 1, error: 'rejected' },
      { status: 'succeeded', attempts: 1, error: null },
      { status: 'succeeded', attempts: 1, error: null },
    ]);
    const deliveries = `/v1/organizations/${place.home}/ssf-streams/${stream}/deliveries`;
    const { data } = (await platform().get(`${deliveries}?status=failed`).expect(200)).body;
    expect(data).toMatchObject([{ status: 'failed', lastErrorKind: 'rejected', eventType: 'user.suspended' }]);
    const details = (await platform().get(`${deliveries}/${data[0].id}`).expect(200)).body.data;
    expect(details.attempts).toMatchObject([{ responseCode: 400, responseBody: rejection, errorKind: 'rejected' }]);
    await platform().post(`${deliveries}/${data[0].id}/retry`).expect(200);
    await receiver.received(4);
    const sets = await receiver.pushed();
    expect(sets[3]!.claims).toEqual(sets[0]!.claims);
  });

  it('repeats a token after an error without an error code', async () => {
    const place = await Place.create(1);
    let requests = 0;
    answer = () => ({ status: ++requests === 1 ? 400 : 202, body: 'Bad request' });
    await place.receiver.createStream(PUSH);
    await place.suspend(...place.users);
    await place.receiver.received(2);
  });

  it('holds events while the stream is paused, sends them in order when it is enabled, and keeps none while it is disabled', async () => {
    const place = await Place.create(5);
    const { receiver } = place;
    const stream = await receiver.createStream(PUSH);
    const set = (status: string) => receiver.api.post('/ssf/status', { stream_id: stream, status }).expect(200);
    await set('paused');
    await place.suspend(...place.users);
    await eventually(async () => (await place.deliveries(stream)).length === 5, 10_000, 'the events are held');
    expect(receiver.requests).toEqual([]);
    await set('enabled');
    await receiver.received(5);
    expect(subjectsOf(await receiver.pushed())).toEqual(place.users);
    await set('paused');
    await place.activate(place.users[0]!);
    await eventually(async () => (await place.deliveries(stream)).length === 6, 10_000, 'the event is held');
    await set('disabled');
    await place.activate(place.users[1]!);
    await set('enabled');
    await place.activate(place.users[2]!);
    await receiver.received(6);
    expect(subjectsOf(await receiver.pushed()).slice(5)).toEqual([place.users[2]]);
    expect((await place.deliveries(stream)).map(({ status }) => status).slice(5)).toEqual(['skipped', 'succeeded']);
  });
});

describe('poll', () => {
  it('returns events in order until they are acknowledged', async () => {
    const place = await Place.create(5);
    const { receiver } = place;
    const stream = await receiver.createStream(POLL);
    await place.suspend(...place.users);
    await eventually(async () => (await place.deliveries(stream)).length === 5, 10_000, 'five events');
    const first = await receiver.poll(stream, { maxEvents: 2 });
    expect([subjectsOf(first.sets), first.moreAvailable]).toEqual([place.users.slice(0, 2), true]);
    const again = await receiver.poll(stream, { maxEvents: 2 });
    expect(again.sets.map(({ claims }) => claims)).toEqual(first.sets.map(({ claims }) => claims));
    const second = await receiver.poll(stream, { maxEvents: 2, ack: first.ids });
    expect(subjectsOf(second.sets)).toEqual(place.users.slice(2, 4));
    const onlyAcknowledged = await receiver.poll(stream, { maxEvents: 0, ack: [...second.ids, 'unknown', first.ids[0]] });
    expect([onlyAcknowledged.sets, onlyAcknowledged.moreAvailable]).toEqual([[], undefined]);
    const last = await receiver.poll(stream);
    expect([subjectsOf(last.sets), last.moreAvailable]).toEqual([place.users.slice(4), undefined]);
    const setErrs = { [last.ids[0]!]: { err: 'invalid_request', description: 'No such user' } };
    expect((await receiver.poll(stream, { setErrs })).sets).toEqual([]);
    expect((await place.deliveries(stream)).map(({ status }) => status)).toEqual([...Array(4).fill('succeeded'), 'failed']);
    const failed = `/v1/organizations/${place.home}/ssf-streams/${stream}/deliveries?status=failed`;
    const { data } = (await platform().get(failed).expect(200)).body;
    const details = (
      await platform()
        .get(failed.replace('?status=failed', `/${data[0].id}`))
        .expect(200)
    ).body.data;
    expect(details.attempts).toMatchObject([{ errorKind: 'rejected', errorMessage: 'invalid_request: No such user' }]);
  });

  it('waits for an event unless the receiver wants an answer at once', async () => {
    const place = await Place.create(1);
    const { receiver } = place;
    const stream = await receiver.createStream(POLL);
    const waiting = receiver.api.post(`/ssf/streams/${stream}/poll`, {}).expect(200);
    const startedAt = Date.now();
    const early = await Promise.race([waiting, receiver.poll(stream).then(({ sets }) => sets)]);
    expect(early).toEqual([]);
    await place.suspend(...place.users);
    const { body } = await waiting;
    expect(Object.keys(body.sets)).toHaveLength(1);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });

  it('loses nothing when the receiver did not poll, also if it then wants its events pushed', async () => {
    const place = await Place.create(6);
    const { receiver } = place;
    const stream = await receiver.createStream(POLL);
    await place.suspend(...place.users);
    await eventually(async () => (await place.deliveries(stream)).length === 6, 10_000, 'six events');
    const { ids } = await receiver.poll(stream, { maxEvents: 1 });
    await receiver.poll(stream, { maxEvents: 0, ack: ids });
    const delivery = { method: PUSH, endpoint_url: receiver.endpointUrl };
    await receiver.api.patch('/ssf/streams', { stream_id: stream, delivery }).expect(200);
    await receiver.received(5);
    expect(subjectsOf(await receiver.pushed())).toEqual(place.users.slice(1));
    expect((await receiver.poll(stream)).sets).toEqual([]);
  });

  it.each([
    [{ maxEvents: -1 }],
    [{ returnImmediately: 'yes' }],
    [{ ack: 'evt_1' }],
    [{ ack: [1] }],
    [{ setErrs: { evt_1: { description: 'No code' } } }],
    [['evt_1']],
  ])('rejects the poll %j', async (body) => {
    const { receiver } = await Place.create(0);
    const stream = await receiver.createStream(POLL);
    await receiver.api.post(`/ssf/streams/${stream}/poll`, body).expect(400, 'validation_failed');
  });
});
