import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { MetricsService } from '#platform/observability';
import { createOperatorAgent } from '#platform/outbound';
import type { Counter } from 'prom-client';
import { type Agent, fetch } from 'undici';

/** Short, because a user waits for the response. */
const TIMEOUT_MS = 2_000;
const PREFIX_LENGTH = 5;

/**
 * Checks whether a password was leaked, with the range API of Have I Been Pwned. The request contains only the first five characters of the
 * SHA-1 hash. Disabled without `PWNED_PASSWORDS_URL`. Accepts the password if the API does not respond.
 */
@Injectable()
export class PwnedPasswordsService {
  private readonly logger = new Logger('PwnedPasswords');
  private readonly agent = createOperatorAgent();
  private readonly checks: Counter<'outcome'>;

  constructor(
    private readonly config: AppConfig,
    metrics: MetricsService,
  ) {
    this.checks = metrics.counter({
      name: 'pwned_password_checks_total',
      help: 'New passwords checked with PWNED_PASSWORDS_URL, by outcome: found, not_found or failed.',
      labelNames: ['outcome'],
    });
  }

  /** Returns whether the list contains the password. Returns false if the list is not configured or not available. */
  async has(password: string): Promise<boolean> {
    const { pwnedPasswordsUrl } = this.config;
    if (pwnedPasswordsUrl === undefined) return false;
    const hash = createHash('sha1').update(password.normalize('NFKC')).digest('hex').toUpperCase();
    try {
      const isFound = hasSuffix(
        await fetchRange(this.agent, pwnedPasswordsUrl, hash.slice(0, PREFIX_LENGTH)),
        hash.slice(PREFIX_LENGTH),
      );
      this.checks.inc({ outcome: isFound ? 'found' : 'not_found' });
      return isFound;
    } catch (error) {
      this.checks.inc({ outcome: 'failed' });
      this.logger.warn(
        { err: error },
        'The request to PWNED_PASSWORDS_URL failed; the password was not checked against leaked passwords.',
      );
      return false;
    }
  }
}

async function fetchRange(dispatcher: Agent, url: string, prefix: string): Promise<string> {
  const response = await fetch(`${url.replace(/\/$/, '')}/${prefix}`, {
    // Padding hides the prefix, which the length of the response would reveal.
    headers: { 'add-padding': 'true' },
    dispatcher,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
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
