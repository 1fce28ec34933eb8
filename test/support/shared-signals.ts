import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify, type JWTPayload } from 'jose';
import { expect } from '@jest/globals';
import type { TestApp } from './app.js';
import { eventually } from './eventually.js';
import type { TestClient } from './http-client.js';
import { OAuthApplication } from './oauth-application.js';
import type { ReceivedRequest, Receiver } from './receiver.js';

const CAEP = 'https://schemas.openid.net/secevent/caep/event-type/';
const RISC = 'https://schemas.openid.net/secevent/risc/event-type/';
const SSF = 'https://schemas.openid.net/secevent/ssf/event-type/';

export const EVENTS = {
  sessionRevoked: `${CAEP}session-revoked`,
  credentialChange: `${CAEP}credential-change`,
  accountDisabled: `${RISC}account-disabled`,
  accountEnabled: `${RISC}account-enabled`,
  accountPurged: `${RISC}account-purged`,
  identifierChanged: `${RISC}identifier-changed`,
  verification: `${SSF}verification`,
  streamUpdated: `${SSF}stream-updated`,
} as const;

const { verification: _, streamUpdated: __, ...ofUsers } = EVENTS;
/** All events about users. */
export const USER_EVENTS: readonly string[] = Object.values(ofUsers);

export const PUSH = 'urn:ietf:rfc:8935';
export const POLL = 'urn:ietf:rfc:8936';

/** A security event as a receiver reads it. */
export interface ReceivedSet {
  readonly claims: JWTPayload & {
    readonly sub_id: Record<string, unknown>;
    readonly events: Record<string, Record<string, unknown>>;
  };
  readonly uri: string;
  readonly event: Record<string, unknown>;
}

interface Polled {
  readonly sets: ReceivedSet[];
  readonly ids: string[];
  readonly moreAvailable?: boolean;
}

let paths = 0;

/** A receiver of shared signals: an OAuth client with an address at a test server. It verifies tokens as the specifications say. */
export class SsfReceiver {
  readonly path = `/ssf-${++paths}`;
  private readonly keys: ReturnType<typeof createRemoteJWKSet>;

  private constructor(
    private readonly app: TestApp,
    private readonly server: Receiver,
    readonly audience: string,
    /** Calls the endpoints with the token of the receiver. */
    readonly api: TestClient,
  ) {
    this.keys = createRemoteJWKSet(new URL(`${app.config.baseUrl}/.well-known/jwks.json`));
  }

  /** Creates a machine client, which gets its token as other receivers do: with the scopes only. */
  static async create(
    app: TestApp,
    server: Receiver,
    organization: string,
    { scopes = ['ssf.manage', 'ssf.read'], ...fields }: { scopes?: readonly string[]; visibility?: string } = {},
  ): Promise<SsfReceiver> {
    const resources = [{ identifier: app.config.baseUrl, scopes }];
    const machine = { name: 'Receiver', type: 'machine', redirectUris: [], resources, ...fields };
    const client = await OAuthApplication.create(app, organization, machine);
    const { access_token: token } = await client.clientCredentials({ scope: scopes.join(' ') });
    return new SsfReceiver(app, server, client.clientId, app.api.as(token));
  }

  /** Returns a receiver with an API key. */
  static withKey(app: TestApp, server: Receiver, organizationId: string, key: string): SsfReceiver {
    return new SsfReceiver(app, server, organizationId, app.api.as(key));
  }

  get endpointUrl(): string {
    return this.server.url.slice(0, -1) + this.path;
  }

  /** Creates a stream and returns its id. */
  async createStream(method: typeof PUSH | typeof POLL, fields: object = {}): Promise<string> {
    const delivery = method === PUSH ? { method, endpoint_url: this.endpointUrl } : { method };
    const body = { delivery, events_requested: USER_EVENTS, ...fields };
    return (await this.api.post('/ssf/streams', body).expect(201)).body.stream_id;
  }

  get requests(): ReceivedRequest[] {
    return this.server.requests.filter(({ path }) => path === this.path);
  }

  received(count: number, withinMs = 20_000): Promise<void> {
    return eventually(() => this.requests.length >= count, withinMs, `${count} requests to ${this.path}`);
  }

  /** Returns all pushed tokens, in the order of the requests. */
  async pushed(): Promise<ReceivedSet[]> {
    return Promise.all(
      this.requests.map(({ method, headers, body }) => {
        expect([method, headers['content-type'], headers.accept]).toEqual([
          'POST',
          'application/secevent+jwt',
          'application/json',
        ]);
        return this.verified(body.toString());
      }),
    );
  }

  /** Polls without a wait. */
  async poll(streamId: string, request: object = {}): Promise<Polled> {
    const { body } = await this.api.post(`/ssf/streams/${streamId}/poll`, { returnImmediately: true, ...request }).expect(200);
    const tokens = Object.entries(body.sets as Record<string, string>);
    const sets = await Promise.all(tokens.map(([, token]) => this.verified(token)));
    expect(sets.map(({ claims }) => claims.jti)).toEqual(tokens.map(([id]) => id));
    return { sets, ids: tokens.map(([id]) => id), moreAvailable: body.moreAvailable };
  }

  /** Polls and acknowledges until `count` events were received. */
  async pollAll(streamId: string, count: number): Promise<ReceivedSet[]> {
    const all: ReceivedSet[] = [];
    let ack: string[] = [];
    await eventually(
      async () => {
        const { sets, ids } = await this.poll(streamId, { ack });
        all.push(...sets);
        ack = ids;
        return all.length >= count && ids.length === 0;
      },
      20_000,
      `${count} polled events`,
    );
    return all;
  }

  /** Verifies a token as RFC 8417 and the framework say. */
  private async verified(token: string): Promise<ReceivedSet> {
    const { payload } = await jwtVerify(token, this.keys, {
      typ: 'secevent+jwt',
      issuer: this.app.config.baseUrl,
      audience: this.audience,
      algorithms: ['RS256'],
      requiredClaims: ['iat', 'jti', 'txn', 'sub_id', 'events'],
    });
    expect(decodeProtectedHeader(token).kid).toEqual(expect.any(String));
    expect(payload).not.toHaveProperty('sub');
    expect(payload).not.toHaveProperty('exp');
    const claims = payload as ReceivedSet['claims'];
    const [[uri, event] = ['', {}], ...others] = Object.entries(claims.events);
    expect(others).toEqual([]);
    return { claims, uri, event };
  }
}
