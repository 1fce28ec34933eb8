import { setTimeout as sleep } from 'node:timers/promises';
import type { TestClient, TestResponse } from '../support/http-client.js';
import { Random } from './random.js';

const PAUSE_MAX_MS = 200;
/** The pause after a request without a response. The service is then restarting. */
const FAILED_PAUSE_MS = 250;
const REPEAT_LIMIT_MS = 30_000;

export interface Write {
  /** The slug of the tenant. */
  organization: string;
  /** The event type and the subject. The two values identify the change and its event. */
  effect: string;
  /** `done` after a success, `rejected` after a rejection. `unknown` after any other response: the service can have made the change. */
  outcome: 'done' | 'rejected' | 'unknown';
  /** The status of the response, or 0 without a response. */
  status: number;
  startedAt: number;
  tookMs: number;
}

interface Call {
  organization: string;
  method: 'post' | 'patch';
  path: string;
  body: object;
  expectedStatus: number;
  effect: string;
  idempotencyKey?: string;
}

/** Writers that send valid and invalid changes of tenants and log every response. */
export class Writers {
  readonly log: Write[] = [];
  /** Responses whose status is neither the expected status nor 503. */
  readonly unexplainedResponses: string[] = [];
  private readonly loops: Promise<void>[] = [];
  private stopping = false;
  private count = 0;
  private readonly pace?: Pace;

  constructor(
    private readonly client: TestClient,
    /** The slugs of the tenants. */
    private readonly organizations: readonly string[],
    /** Counts the successful writes. */
    private readonly counts: { answered: number },
    private readonly options: {
      /** The total number of requests per second. The number of writers increases as required. Default: no rate. */
      requestsPerSecond: number | undefined;
      /** Whether a confirmed change can be invisible for some time. */
      isNotFoundExpected: boolean;
    },
  ) {
    if (options.requestsPerSecond !== undefined) this.pace = new Pace(options.requestsPerSecond);
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

  /** Writes until `stop()`, or until `enough` writers are waiting for the rate limit. */
  private async run(enough: number, random: Random): Promise<void> {
    while (!this.stopping && (this.pace?.waitingCount ?? 0) < enough) {
      await this.writeSome(random);
      await sleep(random.between(0, PAUSE_MAX_MS));
    }
  }

  /** Creates a user and sends random changes of the user. Sometimes sends an invalid request. */
  private async writeSome(random: Random): Promise<void> {
    const number = ++this.count;
    const organization = random.pick(this.organizations);
    const users = `/v1/organizations/${organization}/users`;
    const call = (path: string, body: object, effect: string, expectedStatus = 200): Call => ({
      organization,
      method: 'post',
      path,
      body,
      expectedStatus,
      effect,
    });
    if (random.chance(0.1)) {
      const slug = `${organization}-child-${number}`;
      const body = { name: slug, slug, parentId: organization };
      await this.send(call('/v1/organizations', body, `organization.created ${slug}`, 201));
    }
    // The first write always includes an invalid request. Otherwise a short run could have none.
    if (number === 1 || random.chance(0.15))
      await this.send(call(users, { email: `no-address-${number}` }, `user.created no-address-${number}`, 400));
    const email = `user-${number}@example.com`;
    const creation = call(users, { email }, `user.created ${email}`, 201);
    const created = random.chance(0.5) ? await this.sendUntilServed(creation, `key-${number}`) : await this.send(creation);
    if (!created) return;
    const { id } = created.body.data;
    const path = `${users}/${id}`;
    const changes: Call[] = [
      { ...call(path, { firstName: `Name ${number}` }, `user.updated Name ${number}`), method: 'patch' },
      call(`${path}/suspend`, { reason: 'Test' }, `user.suspended ${id}`),
      call(`${path}/roles`, { roleId: 'role_viewer' }, `role.assigned ${id}`, 201),
    ];
    for (const change of random.shuffled(changes)) if (random.chance(0.3)) await this.send(change);
    if (random.chance(0.2)) await this.send(call(users, { email: email.toUpperCase() }, `duplicate of ${email}`, 409));
  }

  /** Repeats a request with its key until the service responds. */
  private async sendUntilServed(call: Call, idempotencyKey: string): Promise<TestResponse | undefined> {
    const deadline = performance.now() + REPEAT_LIMIT_MS;
    while (performance.now() < deadline) {
      const response = await this.send({ ...call, idempotencyKey });
      if (response) return response;
    }
    this.unexplainedResponses.push(`${call.effect} had no response, although it was repeated with its key`);
    return undefined;
  }

  /** Sends and logs a request. Returns the response, or undefined if the status is unexpected. */
  private async send({ organization, method, path, body, effect, ...call }: Call): Promise<TestResponse | undefined> {
    await this.pace?.turn();
    const startedAt = performance.now();
    const headers: Record<string, string> = call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey };
    const response = await this.client[method](path, body, { headers }).catch(() => undefined);
    const status = response?.status ?? 0;
    const known = status === call.expectedStatus;
    const outcome = !known ? 'unknown' : status < 300 ? 'done' : 'rejected';
    this.log.push({ organization, effect, outcome, status, startedAt, tookMs: performance.now() - startedAt });
    // A repeated request with an idempotency key gets 409 while the first request is in progress.
    const inProgress = status === 409 && call.idempotencyKey !== undefined;
    const isInvisible = status === 404 && this.options.isNotFoundExpected;
    if (!known && status !== 0 && status !== 503 && !inProgress && !isInvisible)
      this.unexplainedResponses.push(`${method} ${path} for ${effect} returned ${status}: ${JSON.stringify(response?.body)}`);
    if (outcome === 'done') this.counts.answered++;
    if (outcome === 'unknown') await sleep(FAILED_PAUSE_MS);
    return known ? response : undefined;
  }
}

/** Lets callers start work at a constant rate. Does not wait for the end of earlier work. */
class Pace {
  private readonly waiting: (() => void)[] = [];
  private stopped = false;

  constructor(private readonly turnsPerSecond: number) {}

  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Resolves when the caller can start. Resolves immediately after `stop()`. */
  async turn(): Promise<void> {
    if (!this.stopped) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Resolves one waiting caller per interval until `stop()`. Calls `onUnused` when no caller is waiting. `onUnused` must add a caller. */
  async run(onUnused: () => void): Promise<void> {
    const startedAt = performance.now();
    for (let turns = 0; !this.stopped; turns++) {
      await sleep(Math.max(0, startedAt + (turns * 1_000) / this.turnsPerSecond - performance.now()));
      if (this.waiting.length === 0) onUnused();
      this.waiting.shift()?.();
    }
  }

  /** Stops and resolves all waiting callers. */
  stop(): void {
    this.stopped = true;
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
