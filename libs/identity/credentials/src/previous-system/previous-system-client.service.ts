import { createHmac, randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock, DomainError, parseUrl } from '#platform/common';
import { SecretSealer, WEBHOOK_SECRET_PREFIX } from '#platform/crypto';
import { createGuardedConnector, createHostLookup, NetworkPolicy } from '#platform/outbound';
import { Agent, request } from 'undici';
import type { User } from '#directory/users';
import { isLoopbackUrl } from './loopback-url.js';
import { migrationSecretContext, type PasswordMigration } from './password-migration.entity.js';

const TIME_LIMIT_MS = 5_000;
const CONNECTIONS_MAX = 8;
/** The requests that run or wait for a connection to one address in this process. */
const REQUESTS_MAX = 40;
const BODY_MAX_BYTES = 16 * 1024;

/** The previous system did not say whether the password is correct. The attempt does not count as a failure. */
export class PreviousSystemUnavailable extends DomainError {
  readonly code = 'unavailable';
  readonly kind = 'unavailable';
  override readonly retryAfterSeconds = 30;
  constructor(options?: ErrorOptions) {
    super('The password could not be checked, because the previous system did not respond. Try again in a moment.');
    if (options) this.cause = options.cause;
  }
}

export interface PasswordQuestion {
  readonly migration: PasswordMigration;
  readonly user: Pick<User, 'id' | 'externalId' | 'email'>;
  readonly password: string;
}

/**
 * Asks the previous system of an organization whether a password is correct. The network policy checks the address of each connection,
 * because tenants choose the URL. Follows no redirects, uses no proxy, and limits the time and size of the response.
 */
@Injectable()
export class PreviousSystemClient implements OnApplicationShutdown {
  private readonly agent: Agent;
  private readonly running = new Map<string, number>();

  constructor(
    policy: NetworkPolicy,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {
    this.agent = new Agent({
      connect: createGuardedConnector({ policy, lookup: createHostLookup(), connectTimeoutMs: TIME_LIMIT_MS }),
      connections: CONNECTIONS_MAX,
      maxResponseSize: BODY_MAX_BYTES,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }

  /** Returns whether the password is correct. @throws PreviousSystemUnavailable (503) */
  async isCorrect(question: PasswordQuestion): Promise<boolean> {
    const origin = parseUrl(question.migration.url)?.origin ?? '';
    const running = this.running.get(origin) ?? 0;
    if (running >= REQUESTS_MAX) throw new PreviousSystemUnavailable();
    this.running.set(origin, running + 1);
    try {
      return await this.ask(question);
    } catch (error) {
      throw new PreviousSystemUnavailable({ cause: error });
    } finally {
      const left = (this.running.get(origin) ?? 1) - 1;
      if (left === 0) this.running.delete(origin);
      else this.running.set(origin, left);
    }
  }

  private async ask({ migration, user: { id, externalId, email }, password }: PasswordQuestion): Promise<boolean> {
    const { url, organizationId, secretSealed } = migration;
    const secret = this.sealer.open(secretSealed, migrationSecretContext(organizationId));
    if (!url.startsWith('https:') && !isLoopbackUrl(url)) throw new Error('The previous system must use https.');
    const body = JSON.stringify({ type: 'password.verify', user: { id, externalId, email }, password });
    const response = await request(url, {
      dispatcher: this.agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...this.signatureOf(secret, body) },
      body,
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    if (response.statusCode !== 200) {
      await response.body.dump();
      throw new Error(`The previous system responded with the status ${response.statusCode}.`);
    }
    const { valid } = (await response.body.json()) as { valid?: unknown };
    if (typeof valid !== 'boolean')
      throw new Error('The response of the previous system has no field "valid" with true or false.');
    return valid;
  }

  /** Returns the headers of Standard Webhooks. */
  private signatureOf(secret: string, body: string): Record<string, string> {
    const id = `msg_${randomUUID()}`;
    const timestamp = String(Math.floor(this.clock.now().getTime() / 1_000));
    const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  }
}
