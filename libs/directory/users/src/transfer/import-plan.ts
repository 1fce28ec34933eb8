import { type Changes, changesBetween, DomainError, emailKey } from '#platform/common';
import { userData } from '../user-data.js';
import { EmailTaken, ExternalIdTaken } from '../user-errors.js';
import type { User } from '../user.entity.js';
import { applyFields } from '../user-values.js';
import type { ImportOrganizationRequest } from './import-access.requests.js';
import type { ImportUserRequest } from './import.requests.js';
import { type LineError, lineErrorOf } from './import-lines.js';

/** A valid line that is not imported yet. */
export interface Candidate {
  readonly line: number;
  readonly request: ImportUserRequest;
  /** The id in an exported line, which tells users whom another organization manages from new users with the same email address. */
  readonly id?: string;
}

/** A valid line about an organization. */
export interface OrganizationLine {
  readonly line: number;
  readonly organization: ImportOrganizationRequest;
}

export type LineOutcome =
  | { readonly line: number; readonly status: 'created' | 'updated' | 'unchanged'; readonly id?: string }
  | { readonly line: number; readonly status: 'failed'; readonly error: LineError };

/** Returns the result of a failed line, with the error of a request for a single user. */
export function failed(line: number, error: DomainError, pointer?: string): LineOutcome {
  return { line, status: 'failed', error: { ...(pointer ? { pointer } : {}), ...lineErrorOf(error) } };
}

/** The users who have the email addresses or external ids of the lines. */
export class Matches {
  private readonly byEmail: Map<string, User>;
  private readonly byExternalId: Map<string | null, User>;

  constructor(users: readonly User[]) {
    this.byEmail = new Map(users.map((user) => [user.emailKey, user]));
    this.byExternalId = new Map(users.filter(({ externalId }) => externalId !== null).map((user) => [user.externalId, user]));
  }

  get userIds(): string[] {
    return [...this.byEmail.values()].map(({ id }) => id);
  }

  matchedBy({ email, externalId }: ImportUserRequest): User[] {
    const matched = [this.byEmail.get(emailKey(email)), externalId === undefined ? undefined : this.byExternalId.get(externalId)];
    return matched.filter((user) => user !== undefined);
  }

  /**
   * Returns the user with the external id of the line or, without such a user, with the email address. Returns undefined if the line
   * creates a user.
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

/** Returns the keys that identify the user of a line and that only one user can have. Lines with a common key are not imported concurrently. */
export const claimsOf = ({ email, externalId, identities = [], passkeys = [] }: ImportUserRequest): string[] => [
  `email ${emailKey(email)}`,
  ...(externalId === undefined ? [] : [`external ${externalId}`]),
  ...identities.map(({ identityProvider, subject }) => `identity ${identityProvider} ${subject}`),
  ...passkeys.map(({ credentialId }) => `passkey ${credentialId}`),
];

/**
 * Splits lines. One transaction can import the lines `now`. The lines `later` match the user of an earlier line and need a later
 * transaction. Keeps the order of the lines.
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

/** Returns the error of a line that matches a user of another organization. It reveals only that the email address or external id is taken. */
export function takenBy(user: User, request: ImportUserRequest): DomainError {
  return user.emailKey === emailKey(request.email)
    ? new EmailTaken(request.email)
    : new ExternalIdTaken(request.externalId ?? '');
}

/** Copies the fields of a line to a user. Returns the changes. @throws InvalidRequest (400) when the metadata is too large */
export function applyLine(user: User, request: ImportUserRequest): Changes {
  const before = userData(user);
  applyFields(user, request);
  if (request.emailVerified) user.emailVerified = true;
  if (request.phoneVerified && request.phoneNumber !== undefined) user.phoneVerified = true;
  return changesBetween(before, userData(user));
}

export const pointerOf = (error: DomainError): string | undefined => {
  if (error instanceof EmailTaken || error.code === 'domain_not_allowed') return '/email';
  return error instanceof ExternalIdTaken ? '/externalId' : undefined;
};
