import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.js';
import { type DirectoryState, looksUpByUserName, type Person } from './scim-people.js';
import {
  type Call,
  differences,
  groupOf,
  patchOf,
  type ScimGroup,
  ScimRequests,
  type ScimUser,
  SynchronizationFailed,
  userOf,
} from './scim-requests.js';

const CONCURRENT_REQUESTS = 16;
/** The pause of the directory after a synchronization with an error. */
const FAILED_PAUSE_MS = 250;
/** The probability that a synchronization starts from the beginning after the service was unavailable. Otherwise it continues. */
const RESTART_PROBABILITY = 0.15;
/** The number of members in one request. */
const MEMBERS_BATCH = 100;
const SUCCESS = { GET: 200, POST: 201, PATCH: 200, DELETE: 204 } as const;

/** A directory such as Okta or Entra ID, which synchronizes its users and groups with a SCIM connection. */
export class ScimDirectory {
  readonly counts = { repeated: 0, alreadyDone: 0, synchronizations: 0, restarts: 0 };
  readonly requests: ScimRequests;
  /** Responses that no fault explains. */
  readonly unexplainedResponses: string[] = [];
  /** The ids that responses to POST requests contained, by external ID. */
  readonly createdIds = new Map<string, Set<string>>();
  /** The external IDs by id of the service. */
  readonly externalIds = new Map<string, string>();
  private readonly userIds = new Map<string, string>();
  /** The last change of a person, if it had no response. */
  private readonly unanswered = new Map<string, Call>();

  constructor(
    baseUrl: string,
    token: string,
    /** Counts the responses. */
    progress: { answered: number },
    private readonly random: Random,
  ) {
    this.requests = new ScimRequests(baseUrl, token, progress, random);
  }

  /** Synchronizes to a state until a synchronization ends without an error. `leavers` are the external IDs of people to delete. */
  async synchronize(state: DirectoryState, leavers: readonly string[] = []): Promise<void> {
    const everything = () => ({
      people: new Set([...state.people.keys(), ...leavers]),
      groups: new Set(state.groups.keys()),
    });
    let pending = everything();
    for (;;) {
      this.counts.synchronizations++;
      const remaining = pending.people.size + pending.groups.size;
      try {
        await forEachConcurrently(pending.people, async (id) => {
          await this.syncPerson(id, state.people.get(id));
          pending.people.delete(id);
        });
        await forEachConcurrently(pending.groups, async (name) => {
          await this.syncGroup(name, state.groups.get(name)!);
          pending.groups.delete(name);
        });
        return;
      } catch (error) {
        if (!(error instanceof SynchronizationFailed)) throw error;
        const hasProgress = pending.people.size + pending.groups.size < remaining;
        if (hasProgress && !error.isResponseLost && this.random.chance(RESTART_PROBABILITY)) {
          this.counts.restarts++;
          this.userIds.clear();
          this.unanswered.clear();
          pending = everything();
        }
        await sleep(FAILED_PAUSE_MS);
      }
    }
  }

  private async syncPerson(id: string, person: Person | undefined): Promise<void> {
    const unanswered = this.unanswered.get(id);
    this.unanswered.delete(id);
    // A directory repeats the request, or looks up the user again.
    if (unanswered && this.random.chance(0.5)) {
      this.counts.repeated++;
      await this.change(id, unanswered, true);
    }
    const filter = person && looksUpByUserName(person) ? `userName eq "${person.userName}"` : `externalId eq "${id}"`;
    const found = await this.find<ScimUser>('/Users', filter);
    if (found) this.remember(id, found.id);
    if (!person) {
      if (found) await this.change(id, { method: 'DELETE', path: `/Users/${found.id}` }, false);
      return;
    }
    if (!found) return this.change(id, { method: 'POST', path: '/Users', body: userOf(person) }, false);
    const operations = differences(found, person, this.random.chance(0.5));
    if (operations.length > 0) await this.change(id, patchOf(`/Users/${found.id}`, operations), false);
    else if (unanswered) this.counts.alreadyDone++;
  }

  /** Sends a change of a person. A repeated change can be done already. */
  private async change(id: string, call: Call, isRepeated: boolean): Promise<void> {
    this.unanswered.set(id, call);
    const { status, body, wasOverloaded } = await this.requests.send(call);
    this.unanswered.delete(id);
    const canBeDone = isRepeated || wasOverloaded;
    if (call.method === 'POST' && status === 201) {
      this.remember(id, body.id);
      this.createdIds.set(id, (this.createdIds.get(id) ?? new Set()).add(body.id));
    } else if (call.method === 'POST' && status === 409 && canBeDone) {
      this.counts.alreadyDone++;
      const found = await this.find<ScimUser>('/Users', `externalId eq "${id}"`);
      if (found) this.remember(id, found.id);
    } else if (call.method === 'DELETE' && status === 404 && canBeDone) this.counts.alreadyDone++;
    else if (status !== SUCCESS[call.method]) this.reportUnexplained(call, status, body);
  }

  private remember(id: string, serviceId: string): void {
    this.userIds.set(id, serviceId);
    this.externalIds.set(serviceId, id);
  }

  private async syncGroup(name: string, members: ReadonlySet<string>): Promise<void> {
    const wanted = new Set([...members].map((id) => this.userIds.get(id)!));
    let group = await this.find<ScimGroup>('/Groups', `displayName eq "${name}"`);
    if (!group) {
      const call: Call = { method: 'POST', path: '/Groups', body: groupOf(name, [...wanted].slice(0, MEMBERS_BATCH)) };
      const { status, body, wasOverloaded } = await this.requests.send(call);
      if (status === 201) group = body as ScimGroup;
      else {
        if (status !== 409 || !wasOverloaded) this.reportUnexplained(call, status, body);
        group = await this.find<ScimGroup>('/Groups', `displayName eq "${name}"`);
      }
    }
    const present = new Set((group?.members ?? []).map(({ value }) => value));
    const added = [...wanted].filter((value) => !present.has(value)).map((value) => ({ value }));
    const removed = [...present].filter((value) => !wanted.has(value));
    for (const value of batches(added)) await this.changeMembers(group!, [{ op: 'add', path: 'members', value }]);
    for (const values of batches(removed))
      await this.changeMembers(
        group!,
        values.map((value) => ({ op: 'remove', path: `members[value eq "${value}"]` })),
      );
  }

  private async changeMembers({ id }: ScimGroup, operations: object[]): Promise<void> {
    const call = patchOf(`/Groups/${id}`, operations);
    const { status, body } = await this.requests.send(call);
    if (status !== 200 && status !== 204) this.reportUnexplained(call, status, body);
  }

  private async find<Resource>(path: string, filter: string): Promise<Resource | undefined> {
    const call: Call = { method: 'GET', path: `${path}?filter=${encodeURIComponent(filter)}` };
    const { status, body } = await this.requests.send(call);
    if (status !== 200 || body.totalResults > 1) this.reportUnexplained(call, status, body);
    return body.Resources?.[0];
  }

  private reportUnexplained({ method, path }: Call, status: number, body: unknown): void {
    this.unexplainedResponses.push(`${method} ${path} returned ${status}: ${JSON.stringify(body)}`);
  }
}

/** Runs a function for all items, several at a time. After an error, starts no more. @throws the first error */
async function forEachConcurrently(items: Iterable<string>, work: (item: string) => Promise<void>): Promise<void> {
  const waiting = [...items].values();
  const errors: unknown[] = [];
  const run = async (): Promise<void> => {
    for (const item of waiting) {
      try {
        await work(item);
      } catch (error) {
        errors.push(error);
      }
      if (errors.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, run));
  if (errors.length > 0) throw errors.find((error) => !(error instanceof SynchronizationFailed)) ?? errors[0];
}

function* batches<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += MEMBERS_BATCH) yield items.slice(start, start + MEMBERS_BATCH);
}
