import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { MetricsService } from '#platform/observability';
import { createOperatorAgent } from '#platform/outbound';
import { EffectiveSettingsService, type PasswordPolicy } from '#directory/organizations';
import type { UserWithOrganization } from '#directory/users';
import type { Counter } from 'prom-client';
import { type Agent, fetch } from 'undici';
import { CommonPasswords } from './common-passwords.js';
import { PasswordRefused } from './password-errors.js';
import { passwordViolations } from './password-policy-check.js';

/** Short, because a user waits for the response. */
const PWNED_TIMEOUT_MS = 2_000;
const PWNED_PREFIX_LENGTH = 5;

/** Checks new passwords: the rules of the organization, and lists of common and leaked passwords. */
@Injectable()
export class PasswordPoliciesService {
  private readonly logger = new Logger('PwnedPasswords');
  private readonly agent = createOperatorAgent();
  private readonly pwnedChecks: Counter<'outcome'>;

  constructor(
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly commonPasswords: CommonPasswords,
    private readonly config: AppConfig,
    metrics: MetricsService,
  ) {
    this.pwnedChecks = metrics.counter({
      name: 'pwned_password_checks_total',
      help: 'New passwords checked with PWNED_PASSWORDS_URL, by outcome: found, not_found or failed.',
      labelNames: ['outcome'],
    });
  }

  async get(ctx: RequestContext, organization: OrganizationScope): Promise<PasswordPolicy> {
    return (await this.effectiveSettings.get(ctx, organization)).values.passwordPolicy;
  }

  /** @throws PasswordRefused (422) with a message for each violated rule */
  async assertAllowed(
    policy: PasswordPolicy,
    { user, managingOrganization }: UserWithOrganization,
    password: string,
  ): Promise<void> {
    const { email, firstName, lastName, displayName } = user;
    const names = [email, firstName, lastName, displayName, managingOrganization.name, managingOrganization.slug].filter(
      (name) => name !== null,
    );
    const violations = passwordViolations(password, policy, {
      names,
      isCommon: (candidate) => this.commonPasswords.has(candidate),
    });
    if (violations.length > 0) throw new PasswordRefused(violations);
    if (await this.isPwned(password)) throw new PasswordRefused([PWNED]);
  }

  /**
   * Returns whether a password was leaked, with the range API of Have I Been Pwned. The request contains only the first five characters of
   * the SHA-1 hash. Returns false without `PWNED_PASSWORDS_URL`, and if the API does not respond.
   */
  private async isPwned(password: string): Promise<boolean> {
    const { pwnedPasswordsUrl } = this.config;
    if (pwnedPasswordsUrl === undefined) return false;
    const hash = createHash('sha1').update(password.normalize('NFKC')).digest('hex').toUpperCase();
    try {
      const isFound = hasSuffix(
        await fetchRange(this.agent, pwnedPasswordsUrl, hash.slice(0, PWNED_PREFIX_LENGTH)),
        hash.slice(PWNED_PREFIX_LENGTH),
      );
      this.pwnedChecks.inc({ outcome: isFound ? 'found' : 'not_found' });
      return isFound;
    } catch (error) {
      this.pwnedChecks.inc({ outcome: 'failed' });
      this.logger.warn(
        { err: error },
        'The request to PWNED_PASSWORDS_URL failed; the password was not checked against leaked passwords.',
      );
      return false;
    }
  }
}

const PWNED = {
  code: 'pwned_password',
  message: 'This password appears in a list of leaked passwords, so it is easy to guess. Choose another one.',
} as const;

async function fetchRange(dispatcher: Agent, url: string, prefix: string): Promise<string> {
  const response = await fetch(`${url.replace(/\/$/, '')}/${prefix}`, {
    // Padding hides the prefix, which the length of the response would reveal.
    headers: { 'add-padding': 'true' },
    dispatcher,
    redirect: 'error',
    signal: AbortSignal.timeout(PWNED_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`PWNED_PASSWORDS_URL responded with status ${response.status}.`);
  return response.text();
}

/** Lines have the form `suffix:count`. A line with the count 0 is padding. */
function hasSuffix(range: string, searchedSuffix: string): boolean {
  return range.split(/\r?\n/).some((line) => {
    const [suffix, count] = line.split(':');
    return suffix?.toUpperCase() === searchedSuffix && Number(count) > 0;
  });
}
