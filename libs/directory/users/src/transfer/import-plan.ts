import { DomainError, emailKey } from '#platform/common';
import { EmailTaken, ExternalIdTaken, ManagedElsewhere } from '../user-errors.js';
import type { User } from '../user.entity.js';
import type { ImportUserRequest } from './import.requests.js';
import type { LineError } from './import-lines.js';

/** A well-formed line that waits for its turn. */
export interface Candidate {
  readonly line: number;
  readonly request: ImportUserRequest;
}

/** What became of a line. */
export type LineOutcome =
  | { readonly line: number; readonly status: 'created' | 'updated' | 'unchanged'; readonly id: string }
  | { readonly line: number; readonly status: 'failed'; readonly error: LineError };

/** A line's refusal, from the failure that the same request would meet alone. */
export function failed(line: number, error: DomainError, pointer?: string): LineOutcome {
  const [problem] = error.errors ?? [];
  if (!problem)
    return { line, status: 'failed', error: { code: error.code, message: error.message, ...(pointer ? { pointer } : {}) } };
  return { line, status: 'failed', error: { code: problem.code, message: problem.message, pointer: problem.pointer } };
}

/** Users that have the addresses or external ids of some lines. */
export class Matches {
  private readonly byEmail: Map<string, User>;
  private readonly byExternalId: Map<string | null, User>;

  constructor(users: readonly User[]) {
    this.byEmail = new Map(users.map((user) => [user.emailKey, user]));
    this.byExternalId = new Map(users.filter(({ externalId }) => externalId !== null).map((user) => [user.externalId, user]));
  }

  /** The ids of all users that are matched. */
  get userIds(): string[] {
    return [...this.byEmail.values()].map(({ id }) => id);
  }

  /** Everybody whom a line touches. */
  touchedBy({ email, externalId }: ImportUserRequest): User[] {
    const touched = [this.byEmail.get(emailKey(email)), externalId === undefined ? undefined : this.byExternalId.get(externalId)];
    return touched.filter((user) => user !== undefined);
  }

  /**
   * The user that a line means: the one with its external id, else the one with its address. Nobody: a new one.
   * @throws EmailTaken when the address is another user's
   */
  meantBy({ email, externalId }: ImportUserRequest): User | undefined {
    const named = externalId === undefined ? undefined : this.byExternalId.get(externalId);
    const addressed = this.byEmail.get(emailKey(email));
    if (named && addressed && named !== addressed) throw new EmailTaken(email);
    if (!named && addressed && externalId !== undefined && addressed.externalId !== null) throw new EmailTaken(email);
    return named ?? addressed;
  }
}

/** What a line claims for its user: no two lines with one of them in common are done at the same time. */
export const claimsOf = ({ email, externalId }: ImportUserRequest): string[] => [
  `email ${emailKey(email)}`,
  ...(externalId === undefined ? [] : [`external ${externalId}`]),
];

/**
 * Splits lines into those that can be done together and those that touch what an earlier one touches, which wait until that is done.
 * A line that waits holds back those after it that touch the same.
 */
export function splitByTouch(candidates: readonly Candidate[], matches: Matches): { now: Candidate[]; later: Candidate[] } {
  const touched = new Set<string>();
  const now: Candidate[] = [];
  const later: Candidate[] = [];
  for (const candidate of candidates) {
    const keys = claimsOf(candidate.request);
    for (const { id } of matches.touchedBy(candidate.request)) keys.push(`user ${id}`);
    (keys.some((key) => touched.has(key)) ? later : now).push(candidate);
    for (const key of keys) touched.add(key);
  }
  return { now, later };
}

/** Why a user of another organization can't be imported here: it shows here and is managed elsewhere, or its names are just taken. */
export function refusalOf(user: User, isShown: boolean, request: ImportUserRequest): DomainError {
  if (isShown) return new ManagedElsewhere();
  return user.emailKey === emailKey(request.email)
    ? new EmailTaken(request.email)
    : new ExternalIdTaken(request.externalId ?? '');
}

export const pointerOf = (error: DomainError): string | undefined => {
  if (error instanceof EmailTaken || error.code === 'domain_not_allowed') return '/email';
  return error instanceof ExternalIdTaken ? '/externalId' : undefined;
};
