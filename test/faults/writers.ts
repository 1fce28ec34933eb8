import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pace } from './pace.js';
import { Random } from './random.js';

const REQUEST_LIMIT_MS = 20_000;
const LONGEST_PAUSE_MS = 200;
/** After a request without a response: the service is restarting. */
const FAILED_PAUSE_MS = 250;
const REPEAT_LIMIT_MS = 30_000;

/** A request and its result. */
export interface Write {
  /** The event type and its subject, which identify both the change and its event. */
  effect: string;
  /** `done` and `refused` by the response; `unknown` may or may not have happened. */
  outcome: 'done' | 'refused' | 'unknown';
  /** 0 without a response. */
  status: number;
  startedAt: number;
  tookMs: number;
}

interface Call {
  method: string;
  path: string;
  body: object;
  wanted: number;
  effect: string;
  idempotencyKey?: string;
}

interface Answer {
  status: number;
  body: { data?: { id: string } };
}

/** Writers that change one organization over HTTP continuously, mixed with invalid requests, and log every response. */
export class Writers {
  readonly log: Write[] = [];
  /** Responses that no fault explains: another status than expected, except 503. */
  readonly unexplainedResponses: string[] = [];
  private readonly loops: Promise<void>[] = [];
  private stopping = false;
  private count = 0;
  private readonly pace?: Pace;

  constructor(
    private readonly url: string,
    private readonly organization: string,
    private readonly credential: string,
    /** Emits `answered` for each successful write. */
    private readonly moments: EventEmitter,
    /**
     * The number of requests per second of all writers, with as many additional writers as needed; without it, as many as they can.
     */
    requestsPerSecond?: number,
  ) {
    if (requestsPerSecond !== undefined) this.pace = new Pace(requestsPerSecond);
  }

  start(writers: number, random: Random): void {
    const startOne = (): void => void this.loops.push(this.run(writers, new Random(random.between(0, 2 ** 31))));
    for (let index = 0; index < writers; index++) startOne();
    if (this.pace) this.loops.push(this.pace.run(startOne));
  }

  /** Resolves when every request has a response or has failed. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.pace?.stop();
    await Promise.all(this.loops);
  }

  /** Ends, too, once enough others wait for their turn. */
  private async run(enough: number, random: Random): Promise<void> {
    while (!this.stopping && (this.pace?.waits ?? 0) < enough) {
      await this.writeSome(random);
      await sleep(random.between(0, LONGEST_PAUSE_MS));
    }
  }

  /** Writes a user, perhaps some changes to it, and sometimes an invalid request. */
  private async writeSome(random: Random): Promise<void> {
    const number = ++this.count;
    if (random.chance(0.1)) await this.send(this.organizationCall(`child-${number}`));
    // Always the first one, because a short run may have no other.
    if (number === 1 || random.chance(0.15))
      await this.refuse({ email: `no-address-${number}` }, 400, `user.created no-address-${number}`);
    const email = `user-${number}@example.com`;
    const id = await this.createUser(email, number, random.chance(0.5));
    if (id === undefined) return;
    const path = `${this.usersPath}/${id}`;
    const changes: Call[] = [
      { method: 'PATCH', path, body: { firstName: `Name ${number}` }, wanted: 200, effect: `user.updated Name ${number}` },
      { method: 'POST', path: `${path}/suspend`, body: { reason: 'Test' }, wanted: 200, effect: `user.suspended ${id}` },
      { method: 'POST', path: `${path}/roles`, body: { roleId: 'role_viewer' }, wanted: 201, effect: `role.assigned ${id}` },
    ];
    for (const change of random.shuffled(changes)) if (random.chance(0.3)) await this.send(change);
    if (random.chance(0.2)) await this.refuse({ email: email.toUpperCase() }, 409, `duplicate of ${email}`);
  }

  /** With a key, a request without a response is repeated until it has one: then the change must have happened once. */
  private async createUser(email: string, number: number, withKey: boolean): Promise<string | undefined> {
    const call = { method: 'POST', path: this.usersPath, body: { email }, wanted: 201, effect: `user.created ${email}` };
    if (!withKey) return (await this.send(call))?.body.data?.id;
    const deadline = performance.now() + REPEAT_LIMIT_MS;
    while (performance.now() < deadline) {
      const answer = await this.send({ ...call, idempotencyKey: `key-${number}` });
      if (answer) return answer.body.data?.id;
    }
    this.unexplainedResponses.push(`${call.effect} had no answer however often it was repeated with its key`);
    return undefined;
  }

  private organizationCall(slug: string): Call {
    const body = { name: slug, slug: `${this.organization}-${slug}`, parentId: this.organization };
    return { method: 'POST', path: '/v1/organizations', body, wanted: 201, effect: `organization.created ${body.slug}` };
  }

  private async refuse(body: object, wanted: number, effect: string): Promise<void> {
    await this.send({ method: 'POST', path: this.usersPath, body, wanted, effect });
  }

  /** Returns the response if it is the expected one. */
  private async send(call: Call): Promise<Answer | undefined> {
    await this.pace?.turn();
    const startedAt = performance.now();
    const answer = await this.request(call).catch(() => undefined);
    const status = answer?.status ?? 0;
    const known = status === call.wanted;
    const outcome = !known ? 'unknown' : status < 300 ? 'done' : 'refused';
    this.log.push({ effect: call.effect, outcome, status, startedAt, tookMs: performance.now() - startedAt });
    // The second request with a key gets 409 while the first may still be in progress.
    const stillUnderWay = status === 409 && call.idempotencyKey !== undefined;
    if (!known && status !== 0 && status !== 503 && !stillUnderWay)
      this.unexplainedResponses.push(
        `${call.method} ${call.path} for ${call.effect} gave ${status}: ${JSON.stringify(answer?.body)}`,
      );
    if (outcome === 'done') this.moments.emit('answered');
    if (outcome === 'unknown') await sleep(FAILED_PAUSE_MS);
    return known ? answer : undefined;
  }

  private async request({ method, path, body, idempotencyKey }: Call): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      body: JSON.stringify(body),
      headers: {
        authorization: `Bearer ${this.credential}`,
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  private get usersPath(): string {
    return `/v1/organizations/${this.organization}/users`;
  }
}
