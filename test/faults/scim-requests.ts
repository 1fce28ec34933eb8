import { setTimeout as sleep } from 'node:timers/promises';
import { TestClient, type TestResponse } from '../support/http-client.js';
import { patch } from '../support/scim.js';
import type { Random } from './random.js';
import type { Person } from './scim-people.js';

/** A stopped connection sends a longer `Retry-After`. The directory of the test waits at most this long. */
const RETRY_AFTER_MAX_MS = 2_000;
/** Applying the changes of a preview can take minutes. Changes get 503 in the meantime. */
const RETRIES_MAX = 600;
/** The probability that the network loses the response to a change. */
const LOSS_PROBABILITY = 0.005;
const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** A request without a response. The synchronization ends, and is repeated. */
export class SynchronizationFailed extends Error {
  constructor(
    { method, path }: Call,
    /** Whether the service has responded. */
    readonly isResponseLost: boolean,
  ) {
    super(`${method} ${path} has no response.`);
  }
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

export interface ScimUser {
  id: string;
  externalId: string;
  userName: string;
  name: { givenName: string; familyName: string };
  title: string;
  emails: { value: string }[];
  active: boolean;
  groups?: { display: string }[];
}

export interface ScimGroup {
  id: string;
  displayName: string;
  members?: { value: string }[];
}

/** Sends the requests of a directory to a SCIM connection, and counts them. */
export class ScimRequests {
  readonly counts = { requests: 0, withoutResponse: 0, lost: 0, overloaded: 0 };
  private readonly client: TestClient;

  constructor(
    baseUrl: string,
    token: string,
    /** Counts the responses. */
    private readonly progress: { answered: number },
    /** Loses responses to changes. */
    private readonly random: Random,
  ) {
    this.client = new TestClient(baseUrl, token);
  }

  /** Sends a request. Repeats the request while the service responds with 429 or 503. @throws SynchronizationFailed without a response */
  async send(call: Call): Promise<TestResponse & { wasOverloaded: boolean }> {
    const { method, path, body } = call;
    for (let retries = 0; ; retries++) {
      this.counts.requests++;
      const headers = { 'content-type': 'application/scim+json' };
      const response = await this.client.raw(method, path, body && JSON.stringify(body), headers).catch(() => undefined);
      if (!response) {
        this.counts.withoutResponse++;
        throw new SynchronizationFailed(call, false);
      }
      if (method !== 'GET' && this.random.chance(LOSS_PROBABILITY)) {
        this.counts.lost++;
        throw new SynchronizationFailed(call, true);
      }
      this.progress.answered++;
      const isOverloaded = response.status === 429 || response.status === 503;
      if (!isOverloaded || retries === RETRIES_MAX) return { ...response, wasOverloaded: retries > 0 };
      this.counts.overloaded++;
      await sleep(Math.min(Number(response.headers.get('retry-after') ?? 1) * 1_000, RETRY_AFTER_MAX_MS));
    }
  }

  /** Returns all users, or all groups, of the connection in pages. */
  async list<Resource>(path: '/Users' | '/Groups', count: number): Promise<{ total: number; resources: Resource[] }> {
    const resources: Resource[] = [];
    let total = 0;
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const { body } = await this.client.get(`${path}?count=${count}&cursor=${cursor}`).expect(200);
      resources.push(...body.Resources);
      total = body.totalResults;
      cursor = body.nextCursor;
    }
    return { total, resources };
  }
}

export const patchOf = (path: string, operations: object[]): Call => ({ method: 'PATCH', path, body: patch(...operations) });

export const userOf = ({ externalId, userName, email, givenName, familyName, title, active }: Person): object => ({
  schemas: [USER_SCHEMA],
  externalId,
  userName,
  name: { givenName, familyName },
  title,
  emails: [{ value: email, type: 'work', primary: true }],
  active,
});

export const groupOf = (displayName: string, memberIds: readonly string[]): object => ({
  schemas: [GROUP_SCHEMA],
  displayName,
  members: memberIds.map((value) => ({ value })),
});

/** Returns the operations that change a user to a person: one for each attribute as Entra ID does, or one for all as Okta does. */
export function differences(user: ScimUser, person: Person, isSingle: boolean): object[] {
  const { userName, email, givenName, familyName, title, active } = person;
  const changes: [path: string, present: unknown, wanted: unknown, single: object][] = [
    ['userName', user.userName, userName, { userName }],
    ['name.givenName', user.name.givenName, givenName, { name: { givenName, familyName } }],
    ['title', user.title, title, { title }],
    ['emails[type eq "work"].value', user.emails[0]?.value, email, { emails: [{ value: email, type: 'work', primary: true }] }],
    ['active', user.active, active, { active }],
  ];
  const changed = changes.filter(([, present, wanted]) => present !== wanted);
  if (isSingle && changed.length > 0) {
    const value: object = Object.assign({}, ...changed.map(([, , , single]) => single));
    return [{ op: 'replace', value }];
  }
  return changed.map(([path, , value]) => ({ op: 'Replace', path, value }));
}
