import type { Lines } from './import-batch.service.js';
import { type Candidate, claimsOf, type OrganizationLine } from './import-plan.js';

/** Remembers the lines of a preview, which writes nothing, so that a later line about the same user can be previewed together with them. */
export class EarlierLines {
  private readonly byClaim = new Map<string, Candidate[]>();
  private readonly organizations: OrganizationLine[] = [];

  /** Returns the remembered lines on which lines can depend, in their order, and remembers the lines. */
  take({ users, organizations }: Lines): Lines {
    const earlier = { users: this.takeUsers(users), organizations: [...this.organizations] };
    this.organizations.push(...organizations);
    return earlier;
  }

  private takeUsers(candidates: readonly Candidate[]): Candidate[] {
    const found = new Set<Candidate>();
    const open = [...candidates];
    for (let candidate = open.pop(); candidate; candidate = open.pop())
      for (const claim of claimsOf(candidate.request))
        for (const earlier of this.byClaim.get(claim) ?? []) {
          if (found.has(earlier)) continue;
          found.add(earlier);
          open.push(earlier);
        }
    for (const candidate of candidates)
      for (const claim of claimsOf(candidate.request)) {
        const lines = this.byClaim.get(claim);
        if (lines) lines.push(candidate);
        else this.byClaim.set(claim, [candidate]);
      }
    return [...found].sort((a, b) => a.line - b.line);
  }
}
