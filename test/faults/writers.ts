import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pace } from './pace.js';
import { Random } from './random.js';

const REQUEST_LIMIT_MS = 20_000;
const PAUSE_MAX_MS = 200;
/** The pause after a request without a response. The service is then restarting. */
const FAILED_PAUSE_MS = 250;
const REPEAT_LIMIT_MS = 30_000;

export interface Write {
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
  method: string;
  path: string;
  body: object;
  expectedStatus: number;
  effect: string;
  idempotencyKey?: string;
}

interface ApiResponse {
  status: number;
  body: { data?: { id: string } };
}

/** Writers that send valid and invalid changes of one organization and log every response. */
export class Writers {
  readonly log: Write[] = [];
  /** Responses whose status is neither the expected status nor 503. */
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
    private readonly emitter: EventEmitter,
    /** The total number of requests per second. The number of writers increases as required. Default: no rate. */
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
    if (random.chance(0.1)) await this.send(this.organizationCall(`child-${number}`));
    // The first write always includes an invalid request. Otherwise a short run could have none.
    if (number === 1 || random.chance(0.15))
      await this.sendInvalid({ email: `no-address-${number}` }, 400, `user.created no-address-${number}`);
    const email = `user-${number}@example.com`;
    const id = await this.createUser(email, number, random.chance(0.5));
    if (id === undefined) return;
    const path = `${this.usersPath}/${id}`;
    const changes: Call[] = [
      {
        method: 'PATCH',
        path,
        body: { firstName: `Name ${number}` },
        expectedStatus: 200,
        effect: `user.updated Name ${number}`,
      },
      { method: 'POST', path: `${path}/suspend`, body: { reason: 'Test' }, expectedStatus: 200, effect: `user.suspended ${id}` },
      {
        method: 'POST',
        path: `${path}/roles`,
        body: { roleId: 'role_viewer' },
        expectedStatus: 201,
        effect: `role.assigned ${id}`,
      },
    ];
    for (const change of random.shuffled(changes)) if (random.chance(0.3)) await this.send(change);
    if (random.chance(0.2)) await this.sendInvalid({ email: email.toUpperCase() }, 409, `duplicate of ${email}`);
  }

  /** Creates a user. With an idempotency key, repeats the request until the service responds. */
  private async createUser(email: string, number: number, withKey: boolean): Promise<string | undefined> {
    const call = { method: 'POST', path: this.usersPath, body: { email }, expectedStatus: 201, effect: `user.created ${email}` };
    if (!withKey) return (await this.send(call))?.body.data?.id;
    const deadline = performance.now() + REPEAT_LIMIT_MS;
    while (performance.now() < deadline) {
      const response = await this.send({ ...call, idempotencyKey: `key-${number}` });
      if (response) return response.body.data?.id;
    }
    this.unexplainedResponses.push(`${call.effect} had no response, although it was repeated with its key`);
    return undefined;
  }

  private organizationCall(slug: string): Call {
    const body = { name: slug, slug: `${this.organization}-${slug}`, parentId: this.organization };
    return { method: 'POST', path: '/v1/organizations', body, expectedStatus: 201, effect: `organization.created ${body.slug}` };
  }

  private async sendInvalid(body: object, expectedStatus: number, effect: string): Promise<void> {
    await this.send({ method: 'POST', path: this.usersPath, body, expectedStatus, effect });
  }

  /** Sends and logs a request. Returns the response, or undefined if the status is unexpected. */
  private async send(call: Call): Promise<ApiResponse | undefined> {
    await this.pace?.turn();
    const startedAt = performance.now();
    const response = await this.request(call).catch(() => undefined);
    const status = response?.status ?? 0;
    const known = status === call.expectedStatus;
    const outcome = !known ? 'unknown' : status < 300 ? 'done' : 'rejected';
    this.log.push({ effect: call.effect, outcome, status, startedAt, tookMs: performance.now() - startedAt });
    // A repeated request with an idempotency key gets 409 while the first request is in progress.
    const inProgress = status === 409 && call.idempotencyKey !== undefined;
    if (!known && status !== 0 && status !== 503 && !inProgress)
      this.unexplainedResponses.push(
        `${call.method} ${call.path} for ${call.effect} returned ${status}: ${JSON.stringify(response?.body)}`,
      );
    if (outcome === 'done') this.emitter.emit('answered');
    if (outcome === 'unknown') await sleep(FAILED_PAUSE_MS);
    return known ? response : undefined;
  }

  private async request({ method, path, body, idempotencyKey }: Call): Promise<ApiResponse> {
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
    return { status: response.status, body: (await response.json()) as ApiResponse['body'] };
  }

  private get usersPath(): string {
    return `/v1/organizations/${this.organization}/users`;
  }
}
