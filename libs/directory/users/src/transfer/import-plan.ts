import { DomainError, emailKey } from '#platform/common';
import { EmailTaken, ExternalIdTaken, ManagedElsewhere } from '../user-errors.js';
import type { User } from '../user.entity.js';
import type { ImportUserRequest } from './import.requests.js';
import type { LineError } from './import-lines.js';

/** A valid line that waits to be imported. */
export interface Candidate {
  readonly line: number;
  readonly request: ImportUserRequest;
}

/** The result of a line. */
export type LineOutcome =
  | { readonly line: number; readonly status: 'created' | 'updated' | 'unchanged'; readonly id: string }
  | { readonly line: number; readonly status: 'failed'; readonly error: LineError };

/** Returns the result of a failed line, with the error that a request for a single user would get. */
export function failed(line: number, error: DomainError, pointer?: string): LineOutcome {
  const [problem] = error.errors ?? [];
  if (!problem)
    return { line, status: 'failed', error: { code: error.code, message: error.message, ...(pointer ? { pointer } : {}) } };
  return { line, status: 'failed', error: { code: problem.code, message: problem.message, pointer: problem.pointer } };
}

/** The users who have the email addresses or external ids of the lines. */
export class Matches {
  private readonly byEmail: Map<string, User>;
  private readonly byExternalId: Map<string | null, User>;

  constructor(users: readonly User[]) {
    this.byEmail = new Map(users.map((user) => [user.emailKey, user]));
    this.byExternalId = new Map(users.filter(({ externalId }) => externalId !== null).map((user) => [user.externalId, user]));
  }

  /** The ids of all matched users. */
  get userIds(): string[] {
    return [...this.byEmail.values()].map(({ id }) => id);
  }

  /** Returns all users that a line matches. */
  matchedBy({ email, externalId }: ImportUserRequest): User[] {
    const matched = [this.byEmail.get(emailKey(email)), externalId === undefined ? undefined : this.byExternalId.get(externalId)];
    return matched.filter((user) => user !== undefined);
  }

  /**
   * Returns the user that a line updates: the user with its external id, or else the user with its email address. Returns undefined if the
   * line creates a user.
   * @throws EmailTaken when another user has the email address
   */
  updatedBy({ email, externalId }: ImportUserRequest): User | undefined {
    const byExternalId = externalId === undefined ? undefined : this.byExternalId.get(externalId);
    const byEmail = this.byEmail.get(emailKey(email));
    if (byExternalId && byEmail && byExternalId !== byEmail) throw new EmailTaken(email);
    if (!byExternalId && byEmail && externalId !== undefined && byEmail.externalId !== null) throw new EmailTaken(email);
    return byExternalId ?? byEmail;
  }
}

/** Returns the keys that a line claims for its user. Two lines with a common key are not imported concurrently. */
export const claimsOf = ({ email, externalId }: ImportUserRequest): string[] => [
  `email ${emailKey(email)}`,
  ...(externalId === undefined ? [] : [`external ${externalId}`]),
];

/**
 * Splits lines into lines that one transaction can import (`now`), and lines that match the same user as an earlier line and wait for a
 * later transaction (`later`). Lines that match the same user keep their order.
 */
export function splitByMatchedUser(candidates: readonly Candidate[], matches: Matches): { now: Candidate[]; later: Candidate[] } {
  const claimed = new Set<string>();
  const now: Candidate[] = [];
  const later: Candidate[] = [];
  for (const candidate of candidates) {
    const keys = claimsOf(candidate.request);
    for (const { id } of matches.matchedBy(candidate.request)) keys.push(`user ${id}`);
    (keys.some((key) => claimed.has(key)) ? later : now).push(candidate);
    for (const key of keys) claimed.add(key);
  }
  return { now, later };
}

/**
 * Returns the error of a line that matches a user of another organization. If the user is not a member, the error says only that the email
 * address or external id is taken.
 */
export function rejectionOf(user: User, isMember: boolean, request: ImportUserRequest): DomainError {
  if (isMember) return new ManagedElsewhere();
  return user.emailKey === emailKey(request.email)
    ? new EmailTaken(request.email)
    : new ExternalIdTaken(request.externalId ?? '');
}

export const pointerOf = (error: DomainError): string | undefined => {
  if (error instanceof EmailTaken || error.code === 'domain_not_allowed') return '/email';
  return error instanceof ExternalIdTaken ? '/externalId' : undefined;
};
