import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestContext } from '#platform/common';
import type { ActiveSession } from '#identity/session-access';
import type { ClientUse } from '../registration/self-described-clients.service.js';
import type { KnownClient } from '../clients/oauth-client.query.js';
import type { NewArtifact, StoredArtifact } from '../tokens/oauth-artifact.query.js';
import type { TokenChain } from '../exchange/token-chain.js';
import type { Standing } from '../tokens/standing.service.js';
import type { OrganizationChoice } from '../interactions/organization-choice.service.js';
import type { PendingGrant, SignInClient } from '../grants/oauth-grants.service.js';

/** The writes of a request, which are committed in one transaction before the response is sent. */
export interface RequestWrites {
  readonly consumed: Set<string>;
  readonly inserted: NewArtifact[];
  readonly deleted: Set<string>;
  /** Sign-ins whose codes and tokens end. */
  readonly endedSignIns: Set<string>;
  /** The grant of the code that the request issues. The request writes the grant if the client skips the consent. */
  grant?: PendingGrant & { readonly skipsConsent: boolean; readonly client: SignInClient };
  /** What else is written in the same transaction, such as events. */
  readonly others: ((ctx: RequestContext) => Promise<void>)[];
}

/** One request to an OAuth endpoint: what it has read, so that it is read once, and what it will write. */
export class OAuthRequest {
  readonly writes: RequestWrites = { consumed: new Set(), inserted: [], deleted: new Set(), endedSignIns: new Set(), others: [] };
  readonly clients = new Map<string, KnownClient>();
  readonly standings = new Map<string, Standing>();
  /** Reads that began before the library asked for them, by id of the client and by refresh token. */
  readonly ahead = {
    clients: new Map<string, Promise<KnownClient | undefined>>(),
    refreshTokens: new Map<string, Promise<StoredArtifact | undefined>>(),
  };
  /** The organization for which the user signs in. */
  choice?: OrganizationChoice;
  /** A resource that the client requests, but that is not one of the organization. */
  foreignResource?: string | undefined;
  /** The payload of the code or refresh token that the request uses. */
  source?: Readonly<Record<string, unknown>>;
  /** The hash of the stored code or token that the request uses. */
  sourceHash?: string;
  /** The thumbprint of the key with which the client signed the proof of the request (DPoP), for the grant types of this service. */
  proofKey?: string;
  /** How the access token that the request issues, or that it revokes, was passed on. */
  chain?: TokenChain;
  /** The client that authenticates, at an endpoint for clients. */
  caller?: KnownClient;
  /** The secret with which the client authenticated. */
  secretId?: string;
  /** Set if the request used a code or refresh token that had been used before. */
  reused?: { readonly kind: string; readonly grantId: string };

  constructor(
    readonly ctx: RequestContext,
    /** The session of the user, for requests of browsers. */
    readonly session: ActiveSession | null,
    /** Whether a client authenticates at the endpoint. */
    readonly isOfClient: boolean,
    /** Whether the response contains claims about the user. */
    readonly withProfile: boolean,
    /** For what clients are needed. */
    readonly clientUse: ClientUse = 'token',
  ) {}
}

const requests = new AsyncLocalStorage<OAuthRequest>();

export const runOAuthRequest = <T>(request: OAuthRequest, run: () => T): T => requests.run(request, run);

/** Returns the request that the library is handling. The library passes no context to adapters. */
export function currentRequest(): OAuthRequest {
  const request = requests.getStore();
  if (!request) throw new Error('The library was called outside a request.');
  return request;
}
