import { setTimeout as sleep } from 'node:timers/promises';
import { Pace } from '../faults/pace.js';
import type { Random } from '../faults/random.js';
import type { Write } from '../faults/writers.js';

const REQUEST_LIMIT_MS = 10_000;
/** The pause before a retry doubles with each retry. */
const RETRY_PAUSE_MS = [250, 4_000] as const;
/** A confirmed user, whose transaction a killed worker has only prepared, is visible after `citus.recover_2pc_interval`, which is 2 s. */
const RECOVERY_LIMIT_MS = 30_000;
/** The number of clients. While all of them wait for a response, the rate is lower. */
const WRITERS_MAX = 64;
/** A client gives up after this time. */
const RETRY_LIMIT_MS = 120_000;

export interface WriterTenant {
  readonly id: string;
  readonly childId: string;
}

export interface TenantWrite extends Write {
  readonly tenantId: string;
  /** The number of requests: 1, and more with retries. */
  readonly requests: number;
}

interface Call {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: object;
  readonly expectedStatus: number;
  readonly effect: string;
}

/** Writers that change many tenants at a constant rate, as long as the service keeps up. Like a client, they retry each request until the service confirms the change. */
export class TenantWriters {
  readonly log: TenantWrite[] = [];
  /** The responses that were retried: their statuses, 0 for none, and the times on the monotonic clock. */
  readonly retriedResponses: { readonly status: number; readonly atMs: number }[] = [];
  /** Responses that a retry does not explain. */
  readonly unexplainedResponses: string[] = [];
  private readonly loops: Promise<void>[] = [];
  private readonly pace: Pace;
  private stopping = false;
  private count = 0;

  constructor(
    private readonly url: string,
    private readonly credential: string,
    private readonly tenants: readonly WriterTenant[],
    private readonly name: string,
    requestsPerSecond: number,
    private readonly random: Random,
  ) {
    this.pace = new Pace(requestsPerSecond);
  }

  start(): void {
    const startOne = (): void => {
      if (this.loops.length <= WRITERS_MAX) this.loops.push(this.run());
    };
    this.loops.push(this.pace.run(startOne));
  }

  /** Resolves when every change is confirmed, or was given up. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.pace.stop();
    await Promise.all(this.loops);
  }

  private async run(): Promise<void> {
    while (!this.stopping) await this.writeOneUser(this.random.pick(this.tenants));
  }

  /** Creates a user, updates the user, and adds the user to the child organization. */
  private async writeOneUser(tenant: WriterTenant): Promise<void> {
    const label = `${this.name}-${++this.count}`;
    const users = `/v1/organizations/${tenant.id}/users`;
    const email = `${label}@example.com`;
    const id = await this.write(tenant, {
      method: 'POST',
      path: users,
      body: { email },
      expectedStatus: 201,
      effect: `user.created ${email}`,
    });
    if (id === undefined) return;
    await this.write(tenant, {
      method: 'PATCH',
      path: `${users}/${id}`,
      body: { firstName: label },
      expectedStatus: 200,
      effect: `user.updated ${label}`,
    });
    await this.write(tenant, {
      method: 'POST',
      path: `/v1/organizations/${tenant.childId}/members`,
      body: { userId: id, role: 'member' },
      expectedStatus: 201,
      effect: `organization.member_added ${id}`,
    });
  }

  /** Sends a change until the service confirms it. Returns the ID of the response. */
  private async write(tenant: WriterTenant, call: Call): Promise<string | undefined> {
    if (this.stopping) return undefined;
    await this.pace.turn();
    const startedAt = performance.now();
    const add = (outcome: Write['outcome'], status: number, requests: number): void => {
      this.log.push({
        tenantId: tenant.id,
        effect: call.effect,
        outcome,
        status,
        requests,
        startedAt,
        tookMs: performance.now() - startedAt,
      });
    };
    for (let requests = 1; ; requests++) {
      const response = await this.request(call).catch(() => undefined);
      const status = response?.status ?? 0;
      if (status === call.expectedStatus) {
        add('done', status, requests);
        return response!.id;
      }
      // A repeated request with an idempotency key gets 409 while the first request is in progress.
      const isRetryable = status === 0 || status === 503 || (status === 409 && requests > 1) || status === 404;
      const limitMs = status === 404 ? RECOVERY_LIMIT_MS : RETRY_LIMIT_MS;
      if (!isRetryable || performance.now() - startedAt > limitMs) {
        this.unexplainedResponses.push(
          `${call.method} for ${call.effect} returned ${status} to request ${requests}: ${response?.text}`,
        );
        add('unknown', status, requests);
        return undefined;
      }
      this.retriedResponses.push({ status, atMs: performance.now() });
      const [firstPauseMs, maxPauseMs] = RETRY_PAUSE_MS;
      await sleep(Math.min(maxPauseMs, firstPauseMs * 2 ** (requests - 1)) * (0.5 + this.random.next() / 2));
    }
  }

  private async request({ method, path, body, effect }: Call): Promise<{ status: number; id: string | undefined; text: string }> {
    const response = await fetch(this.url + path, {
      method,
      body: JSON.stringify(body),
      headers: {
        authorization: `Bearer ${this.credential}`,
        'content-type': 'application/json',
        ...(method === 'POST' ? { 'idempotency-key': effect.replaceAll(' ', '-') } : {}),
      },
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    });
    const text = await response.text();
    const { data } = JSON.parse(text) as { data?: { id: string } };
    return { status: response.status, id: data?.id, text };
  }
}
