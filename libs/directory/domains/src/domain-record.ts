import type { Domain } from './domain.entity.js';

export interface DomainRecord {
  readonly name: string;
  readonly value: string;
}

/** Returns the TXT record that verifies a domain. */
export const recordOf = ({ name, token }: Pick<Domain, 'name' | 'token'>): DomainRecord => ({
  name: `_identity-verification.${name}`,
  value: `identity-verification=${token}`,
});
