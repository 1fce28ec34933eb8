import { promises as dns } from 'node:dns';
import { Injectable } from '@nestjs/common';
import { type RequestContext, ResourceNotFound } from '#platform/common';
import { AppConfig } from '#platform/config';
import { UnitOfWork } from '#platform/events';
import { OrganizationScopeQuery } from '#directory/organizations';
import { unneeded } from '#directory/privileges';
import { recordOf } from './domain-record.js';
import type { Domain, DomainCheckError } from './domain.entity.js';
import { type DomainKey, DomainRepository } from './domain.repository.js';
import { domainData } from './domains.definitions.js';
import { VerifiedDomainQuery } from './verified-domain.query.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long a verified domain can lack its record. */
const GRACE_MS = 3 * DAY_MS;
/** How long pending and failed domains are checked automatically after their last change. */
const AUTOMATIC_CHECKS_MS = 7 * DAY_MS;
/** No process checks a claimed domain again within this time. */
const CLAIM_MS = 10 * 60_000;

const DNS_TIMEOUT_MS = 3_000;
const DNS_TRIES = 2;
/** Errors that mean that the record does not exist. All others, such as timeouts, are temporary. */
const MISSING = new Set(['ENOTFOUND', 'ENODATA']);

/** Checks the DNS records of domains, and changes their status. */
@Injectable()
export class DomainChecksService {
  private readonly resolver = new dns.Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });

  constructor(
    private readonly work: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly verifiedDomains: VerifiedDomainQuery,
    private readonly scopes: OrganizationScopeQuery,
    { dnsServers }: AppConfig,
  ) {
    if (dnsServers.length > 0) this.resolver.setServers([...dnsServers]);
  }

  /** Checks a domain now. @throws ResourceNotFound (404) if the domain was deleted in the meantime */
  async check(ctx: RequestContext, domain: Domain): Promise<Domain> {
    const result = await this.lookUp(domain);
    return this.work.run(ctx, async (ctx) => {
      const current = await this.domains.lockByKey(ctx, domain);
      if (!current) throw new ResourceNotFound('domain', domain.id);
      if (result === 'found') await this.confirm(ctx, current);
      else if (result === 'missing') await this.miss(ctx, current);
      else this.schedule(current, 'dns_unavailable', HOUR_MS);
      current.checkedAt = this.work.now();
      await this.domains.update(ctx, current);
      return current;
    });
  }

  /** Checks a domain whose check is due, unless another process does. Returns whether the domain was checked. */
  async checkDue(ctx: RequestContext, key: DomainKey): Promise<boolean> {
    const claimed = await this.work.run(ctx, async (ctx) => {
      const domain = await this.domains.lockByKey(ctx, key);
      const now = this.work.now();
      if (!domain?.nextCheckAt || domain.nextCheckAt > now) return undefined;
      domain.nextCheckAt = new Date(now.getTime() + CLAIM_MS);
      await this.domains.update(ctx, domain);
      return domain;
    });
    if (!claimed) return false;
    try {
      await this.check(ctx, claimed);
    } catch (error) {
      // The domain was deleted in the meantime.
      if (!(error instanceof ResourceNotFound)) throw error;
    }
    return true;
  }

  /** Returns whether DNS has the record, or `unavailable` if DNS does not answer. */
  private async lookUp(domain: Domain): Promise<'found' | 'missing' | 'unavailable'> {
    const { name, value } = recordOf(domain);
    try {
      const records = await this.resolver.resolveTxt(name);
      return records.some((chunks) => chunks.join('').trim() === value) ? 'found' : 'missing';
    } catch (error) {
      return MISSING.has((error as NodeJS.ErrnoException).code ?? '') ? 'missing' : 'unavailable';
    }
  }

  private async confirm(ctx: RequestContext, domain: Domain): Promise<void> {
    const wasVerified = domain.status === 'verified';
    if (!wasVerified && !(await this.verifiedDomains.insert(ctx, domain, unneeded<'policy'>('domain_record'))))
      return this.schedule(domain, 'domain_taken', DAY_MS);
    domain.status = 'verified';
    domain.verifiedAt ??= this.work.now();
    domain.failingSince = null;
    this.schedule(domain, null, DAY_MS);
    if (!wasVerified) await this.publish(ctx, 'domain.verified', domain);
  }

  private async miss(ctx: RequestContext, domain: Domain): Promise<void> {
    const now = this.work.now();
    this.schedule(domain, 'record_missing', HOUR_MS);
    if (domain.status !== 'verified') return;
    domain.failingSince ??= now;
    if (now.getTime() - domain.failingSince.getTime() < GRACE_MS) return;
    domain.status = 'failed';
    domain.verifiedAt = null;
    domain.failingSince = null;
    domain.updatedAt = now;
    await this.verifiedDomains.delete(ctx, domain, unneeded<'policy'>('domain_record'));
    await this.publish(ctx, 'domain.verification_failed', domain);
  }

  private schedule(domain: Domain, error: DomainCheckError | null, delayMs: number): void {
    const now = this.work.now().getTime();
    domain.lastError = error;
    const isAutomatic = domain.status === 'verified' || now - domain.updatedAt.getTime() < AUTOMATIC_CHECKS_MS;
    domain.nextCheckAt = isAutomatic ? new Date(now + delayMs) : null;
  }

  private async publish(
    ctx: RequestContext,
    type: 'domain.verified' | 'domain.verification_failed',
    domain: Domain,
  ): Promise<void> {
    const organization = await this.scopes.findById(ctx, { tenantId: domain.tenantId, id: domain.organizationId });
    if (organization) await this.work.publish(ctx, type, organization, domainData(domain));
  }
}
