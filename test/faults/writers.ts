import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pace } from './pace.js';
import { Random } from './random.js';

const REQUEST_LIMIT_MS = 20_000;
const LONGEST_PAUSE_MS = 200;
/** After a request without an answer: the service is being started again. */
const FAILED_PAUSE_MS = 250;
const REPEAT_LIMIT_MS = 30_000;

/** One request and what the writer knows of it. */
export interface Write {
  /** Event type and what it is about: the change and the event that it must have are both known by this. */
  effect: string;
  /** `done` and `refused` were answered so; `unknown` may or may not have happened. */
  outcome: 'done' | 'refused' | 'unknown';
  /** 0 when there was no answer. */
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

/** Writers that change one organization over HTTP without end, mixed with bad requests, and keep a log of every answer. */
export class Writers {
  readonly log: Write[] = [];
  /** Answers that no fault explains: another status than wanted, other than 503. */
  readonly strange: string[] = [];
  private readonly loops: Promise<void>[] = [];
  private stopping = false;
  private count = 0;
  private readonly pace?: Pace;

  constructor(
    private readonly url: string,
    private readonly organization: string,
    private readonly credential: string,
    /** Hears `answered` for each write that was done. */
    private readonly moments: EventEmitter,
    /** How many requests they send together, by as many more writers as that takes; absent, as many as they can. */
    requestsPerSecond?: number,
  ) {
    if (requestsPerSecond !== undefined) this.pace = new Pace(requestsPerSecond);
  }

  start(writers: number, random: Random): void {
    const startOne = (): void => void this.loops.push(this.run(writers, new Random(random.between(0, 2 ** 31))));
    for (let index = 0; index < writers; index++) startOne();
    if (this.pace) this.loops.push(this.pace.run(startOne));
  }

  /** Resolves when every request is answered or given up. */
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

  /** A user, perhaps some changes to it, and now and then something that must be refused. */
  private async writeSome(random: Random): Promise<void> {
    const number = ++this.count;
    if (random.chance(0.1)) await this.send(this.organizationCall(`child-${number}`));
    // The first one always, since a short run may have no other.
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

  /** With a key, a request without an answer is repeated until it has one: it must then have happened, once. */
  private async createUser(email: string, number: number, withKey: boolean): Promise<string | undefined> {
    const call = { method: 'POST', path: this.usersPath, body: { email }, wanted: 201, effect: `user.created ${email}` };
    if (!withKey) return (await this.send(call))?.body.data?.id;
    const deadline = performance.now() + REPEAT_LIMIT_MS;
    while (performance.now() < deadline) {
      const answer = await this.send({ ...call, idempotencyKey: `key-${number}` });
      if (answer) return answer.body.data?.id;
    }
    this.strange.push(`${call.effect} had no answer however often it was repeated with its key`);
    return undefined;
  }

  private organizationCall(slug: string): Call {
    const body = { name: slug, slug: `${this.organization}-${slug}`, parentId: this.organization };
    return { method: 'POST', path: '/v1/organizations', body, wanted: 201, effect: `organization.created ${body.slug}` };
  }

  private async refuse(body: object, wanted: number, effect: string): Promise<void> {
    await this.send({ method: 'POST', path: this.usersPath, body, wanted, effect });
  }

  /** The answer, if it is the one wanted. */
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
      this.strange.push(`${call.method} ${call.path} for ${call.effect} gave ${status}: ${JSON.stringify(answer?.body)}`);
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
