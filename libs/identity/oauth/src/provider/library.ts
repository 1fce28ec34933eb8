import type { KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * The only file that imports `oidc-provider`, and the types of what this service uses of it. The package has no types. Everything here is
 * documented, except `ExternalSigningKey`, which is experimental, `generateTokenId`, `compareClientSecret`, `sidFor` and the checks of prompts; `library.spec.ts` fails if a new version changes
 * them.
 */

export type Payload = Record<string, unknown>;

/** Stores the models of the library, one adapter for each kind. */
export interface Adapter {
  upsert(id: string, payload: Payload, expiresInSeconds: number): Promise<void>;
  find(id: string): Promise<Payload | undefined>;
  findByUid(uid: string): Promise<Payload | undefined>;
  findByUserCode(userCode: string): Promise<Payload | undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

export interface LibraryClient {
  readonly clientId: string;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly string[];
  grantTypeAllowed(type: string): boolean;
  compareClientSecret(secret: string): boolean | Promise<boolean>;
}

export interface LibraryGrant {
  readonly jti: string;
  getOIDCScopeEncountered(): string;
  getResourceScopeEncountered(resource: string): string;
}

/** What tokens of an API are like. */
export interface ResourceServer {
  readonly audience: string;
  readonly scope: string;
  readonly accessTokenFormat: 'opaque' | 'jwt';
  readonly accessTokenTTL: number;
  readonly jwt: object;
}

export interface LibraryToken {
  readonly kind: string;
  readonly clientId: string;
  readonly accountId?: string;
  readonly grantId?: string;
  readonly aud?: string;
  readonly scope?: string;
  readonly scopes: ReadonlySet<string>;
  readonly resourceServer?: { identifier(): string };
  readonly rotations?: number;
  totalLifetime?(): number;
}

export interface OidcContext {
  readonly provider: LibraryProvider;
  readonly client: LibraryClient;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly prompts: ReadonlySet<string>;
  readonly result?: InteractionResult;
  readonly session: { readonly accountId?: string; readonly acr?: string; readonly jti: string };
  readonly grant: LibraryGrant;
  readonly claims: { readonly id_token?: { readonly acr?: unknown } };
  readonly requestParamScopes: ReadonlySet<string>;
  readonly requestParamOIDCScopes: ReadonlySet<string>;
  readonly resourceServers: Readonly<Record<string, { readonly scopes: ReadonlySet<string> }>>;
  readonly route: string;
  promptPending(name: string): boolean;
}

export interface KoaContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly oidc: OidcContext;
  readonly cookies: { set(name: string, value: string | null, options: object): void };
  readonly response: { get(name: string): string | string[]; set(name: string, value: string | string[]): void };
  status: number;
  type: string;
  body: unknown;
  set(name: string, value: string): void;
  remove(name: string): void;
  redirect(url: string): void;
}

/** What the pages of an interaction decided. The names of prompts mark them as answered. */
export interface InteractionResult {
  readonly login?: { readonly accountId: string; readonly ts: number; readonly amr: readonly string[]; readonly acr: string };
  readonly create?: object;
  readonly select_account?: object;
  readonly organization?: { readonly id: string };
  readonly consent?: object;
  readonly approval?: object;
  readonly error?: string;
  readonly error_description?: string;
}

export interface StoredInteraction {
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly prompt: {
    readonly name: string;
    readonly reasons: readonly string[];
    readonly details: Readonly<Record<string, unknown>>;
  };
  readonly params: Readonly<Record<string, string | undefined>>;
  /** The session in which the question was asked. */
  readonly session?: { readonly uid?: string; readonly accountId?: string };
  readonly lastSubmission?: InteractionResult;
  readonly result?: InteractionResult;
}

/** A key that signs itself, and not in the library. */
export interface ExternalSigningKey {
  kid: string;
  alg: string;
  keyObject(): KeyObject;
  sign(data: Buffer): Buffer;
}

export type CheckFunction = (ctx: KoaContext) => boolean | Promise<boolean>;

export interface LibraryPrompt {
  readonly name: string;
  readonly checks: { remove(reason: string): void; add(check: object): void };
}

type ModelClass = new (payload: object) => object;

/** An access token that is not stored yet. */
interface NewAccessToken {
  resourceServer: object;
  scope: string;
  readonly expiration: number;
  /** Binds the token to a key (DPoP). */
  setThumbprint(kind: 'jkt', thumbprint: string): void;
  /** Returns the value of the token. */
  save(): Promise<string>;
}

export interface LibraryProvider {
  readonly issuer: string;
  readonly Grant: new (payload: object) => LibraryGrant;
  readonly Client: { readonly prototype: LibraryClient };
  readonly Session: { readonly prototype: { sidFor(clientId: string): string | undefined } };
  readonly AccessToken: new (payload: object) => NewAccessToken;
  /** Returns false if the id was used before, and remembers it until the expiry, in seconds since 1970. */
  readonly ReplayDetection: { unique(issuer: string, id: string, expiresAt: number): Promise<boolean> };
  readonly ResourceServer: new (identifier: string, server: ResourceServer) => object;
  readonly RefreshToken: ModelClass;
  readonly AuthorizationCode: ModelClass;
  readonly ClientCredentials: ModelClass;
  readonly DeviceCode: ModelClass;
  proxy: boolean;
  silent: boolean;
  use(middleware: (ctx: KoaContext, next: () => Promise<void>) => Promise<void>): unknown;
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** `duplicates` are parameters that a request can have several times. */
  registerGrantType(
    name: string,
    handler: (ctx: KoaContext) => Promise<void>,
    parameters: readonly string[],
    duplicates: readonly string[],
  ): void;
  on(event: string, listener: (...parameters: never[]) => void): unknown;
}

export interface Library {
  readonly ExternalSigningKey: new () => ExternalSigningKey;
  readonly Provider: new (issuer: string, configuration: object) => LibraryProvider;
  readonly interactionPolicy: {
    readonly Check: new (
      reason: string,
      description: string,
      error: string,
      check: CheckFunction,
      details?: (ctx: KoaContext) => object,
    ) => object;
    readonly Prompt: new (options: { name: string; requestable?: boolean }, ...parts: unknown[]) => LibraryPrompt;
    base(): { get(name: string): LibraryPrompt };
  };
  readonly errors: Readonly<
    Record<
      'AccessDenied' | 'InvalidClient' | 'InvalidDpopProof' | 'InvalidGrant' | 'InvalidRequest' | 'InvalidTarget' | 'SlowDown',
      new (description?: string) => Error
    > &
      Record<'InvalidScope', new (description: string, scope?: string) => Error>
  >;
}

/** A grant type that the library does not know. */
export interface GrantType {
  readonly name: string;
  readonly parameters: readonly string[];
  /** The parameters that a request can have several times. */
  readonly repeatable: readonly string[];
  /** Sets the response to a request of a client that has the grant type. */
  respond(library: Library, koa: KoaContext): Promise<void>;
}

let loading: Promise<Library> | undefined;

/** Loads the library at the first request to an OAuth endpoint, so that a service without OAuth clients starts faster. */
export function loadLibrary(): Promise<Library> {
  return (loading ??= importQuietly());
}

/** The library writes a warning for each Node.js before 22, although it works on 20.19. */
async function importQuietly(): Promise<Library> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    // oxlint-disable-next-line typescript/ban-ts-comment -- see above
    // @ts-ignore: the package has no types
    return (await import('oidc-provider')) as Library;
  } finally {
    console.warn = warn;
  }
}
