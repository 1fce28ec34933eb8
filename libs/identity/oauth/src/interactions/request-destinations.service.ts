import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { DomainVerification } from '#directory/organizations';
import type { KnownClient } from '../clients/oauth-client.query.js';
import type { StoredInteraction } from '../provider/library.js';

/** Where the browser goes after the answer to an authorization request. */
export interface RequestDestination {
  /** The host, or the scheme of a native application with a colon. */
  readonly host: string;
  /** The domain of the host that the organization of the client or an ancestor has verified. */
  readonly verifiedDomain: string | null;
}

/** Tells users to whom an answer goes, and whether the organization of the client has proved that the domain is its own. */
@Injectable()
export class RequestDestinationsService {
  constructor(private readonly verification: DomainVerification) {}

  find(ctx: RequestContext, { params }: Pick<StoredInteraction, 'params'>, client: KnownClient): Promise<RequestDestination> {
    // The library has compared the redirect URI with those of the client. The parameter is optional if the client has only one.
    return this.describe(ctx, params['redirect_uri'] ?? client.redirectUris[0] ?? '', client);
  }

  /** Describes an address of a client. */
  async describe(
    ctx: RequestContext,
    uri: string,
    { organization }: Pick<KnownClient, 'organization'>,
  ): Promise<RequestDestination> {
    const { protocol, hostname } = new URL(uri);
    const isWeb = protocol === 'https:' || protocol === 'http:';
    // Any application can claim a scheme, so a verified domain says nothing about it.
    if (!isWeb) return { host: protocol, verifiedDomain: null };
    if (!organization) return { host: hostname, verifiedDomain: null };
    const domains = domainsOfHost(hostname);
    const unverified = await this.verification.listUnverified(ctx, organization, domains);
    return { host: hostname, verifiedDomain: domains.find((domain) => !unverified.includes(domain)) ?? null };
  }
}

/** Returns the host and its parent domains, the longest first. */
function domainsOfHost(host: string): string[] {
  const labels = host.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}
