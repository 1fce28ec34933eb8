import { Injectable } from '@nestjs/common';
import { type FieldProblem, InvalidRequest, jsonPointerToken } from '#platform/common';
import { AppConfig } from '#platform/config';
import { destinationProblem, NetworkPolicy } from '#platform/outbound';
import type { FormatName } from '#webhooks/formats';
import { headerProblem } from './custom-headers.js';
import type { PayloadFilter } from './payload-filter.js';
import { type CustomHeaders, MASKED_VALUE } from './webhook-secrets.js';

export interface WebhookInput {
  name?: string;
  url: string;
  format?: FormatName;
  events: string[];
  enabled?: boolean;
  secret?: string;
  headers?: CustomHeaders;
  includeDescendants?: boolean;
  filter?: PayloadFilter | null;
  /** Maximum number of deliveries per second. Null removes the limit. */
  rateLimit?: number | null;
}

/** The fields of a request that changes a webhook. `headers` replaces all previous headers. */
export type WebhookPatch = Partial<WebhookInput>;

/** Checks inputs against the configuration and the network. Request classes can't do these checks. */
@Injectable()
export class WebhookInputCheck {
  constructor(
    private readonly policy: NetworkPolicy,
    private readonly config: AppConfig,
  ) {}

  /**
   * Asserts that deliveries to a URL are allowed. Never call it in a transaction, because it resolves the host.
   * @throws InvalidRequest naming the field `url`
   */
  async assertDestination(url: string): Promise<void> {
    const problem = await destinationProblem(url, this.policy);
    if (problem) throw new InvalidRequest([{ pointer: '/url', in: 'body', ...problem }]);
  }

  /** Checks custom headers. @throws InvalidRequest naming each header that can't be sent */
  assertHeaders(headers: CustomHeaders): void {
    const usedNames = new Set<string>();
    const problems: FieldProblem[] = [];
    for (const [name, value] of Object.entries(headers)) {
      const lowered = name.toLowerCase();
      const message = usedNames.has(lowered)
        ? `The header "${lowered}" appears twice. Header names are not case-sensitive.`
        : headerProblem(name, value, this.config.serviceName);
      usedNames.add(lowered);
      if (message) problems.push({ pointer: `/headers/${jsonPointerToken(name)}`, in: 'body', code: 'invalid_header', message });
    }
    if (problems.length > 0) throw new InvalidRequest(problems);
  }
}

/** Returns the headers to store. Masked values are replaced by the previous values. */
export function unmaskedHeaders(requested: CustomHeaders, previous: CustomHeaders): CustomHeaders {
  const values = new Map(Object.entries(previous).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    Object.entries(requested).map(([name, value]) => [
      name,
      value === MASKED_VALUE ? (values.get(name.toLowerCase()) ?? value) : value,
    ]),
  );
}
