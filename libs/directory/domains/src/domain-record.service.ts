import { promises as dns } from 'node:dns';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import type { Domain } from './domain.entity.js';

const TIMEOUT_MS = 3_000;
const TRIES = 2;
/** Errors that mean that the record does not exist. All others, such as timeouts, are temporary. */
const MISSING = new Set(['ENOTFOUND', 'ENODATA']);

export interface DomainRecord {
  readonly name: string;
  readonly value: string;
}

/** Returns the TXT record that verifies a domain. */
export const recordOf = ({ name, token }: Pick<Domain, 'name' | 'token'>): DomainRecord => ({
  name: `_identity-verification.${name}`,
  value: `identity-verification=${token}`,
});

/** Looks up the DNS records that verify domains. */
@Injectable()
export class DomainRecordService {
  private readonly resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

  constructor({ dnsServers }: AppConfig) {
    if (dnsServers.length > 0) this.resolver.setServers([...dnsServers]);
  }

  /** Returns whether DNS has the record, or `unavailable` if DNS does not answer. */
  async check(domain: Pick<Domain, 'name' | 'token'>): Promise<'found' | 'missing' | 'unavailable'> {
    const { name, value } = recordOf(domain);
    try {
      const records = await this.resolver.resolveTxt(name);
      return records.some((chunks) => chunks.join('').trim() === value) ? 'found' : 'missing';
    } catch (error) {
      return MISSING.has((error as NodeJS.ErrnoException).code ?? '') ? 'missing' : 'unavailable';
    }
  }
}
