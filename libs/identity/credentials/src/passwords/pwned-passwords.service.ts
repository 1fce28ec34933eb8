import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import { MetricsService } from '#platform/observability';
import type { Counter } from 'prom-client';

/** A user waits for the answer. */
const TIMEOUT_MS = 2_000;
const PREFIX_LENGTH = 5;

/**
 * Asks whether a password is in a list of known breaches, by the range API of Have I Been Pwned: only the first five characters of its SHA-1
 * leave the service. Off unless `PWNED_PASSWORDS_URL` is set. If the API does not answer, the password is accepted.
 */
@Injectable()
export class PwnedPasswordsService {
  private readonly logger = new Logger(PwnedPasswordsService.name);
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

  /** Whether the list has the password; false when there is no list, or it can't be asked. */
  async has(password: string): Promise<boolean> {
    const { pwnedPasswordsUrl } = this.config;
    if (pwnedPasswordsUrl === undefined) return false;
    const hash = createHash('sha1').update(password.normalize('NFKC')).digest('hex').toUpperCase();
    try {
      const isFound = hasSuffix(await fetchRange(pwnedPasswordsUrl, hash.slice(0, PREFIX_LENGTH)), hash.slice(PREFIX_LENGTH));
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

async function fetchRange(url: string, prefix: string): Promise<string> {
  const response = await fetch(`${url.replace(/\/$/, '')}/${prefix}`, {
    // So that the length of the answer does not tell which prefix was asked for.
    headers: { 'add-padding': 'true' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`PWNED_PASSWORDS_URL responded with status ${response.status}.`);
  return response.text();
}

/** Lines are `suffix:count`; those with a count of 0 are padding. */
function hasSuffix(range: string, wanted: string): boolean {
  return range.split(/\r?\n/).some((line) => {
    const [suffix, count] = line.split(':');
    return suffix?.toUpperCase() === wanted && Number(count) > 0;
  });
}
