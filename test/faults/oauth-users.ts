import { hash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashToken } from '#platform/crypto';
import type { OAuthAnswers } from './oauth-answers.js';
import type { Random } from './random.js';

export const CALLBACK = 'https://app.example.com/callback';
/** The pause before a request whose answer was lost is repeated. */
const REPEAT_AFTER_MS = 250;
/** A user must be signed in again within this time. */
const GO_ON_LIMIT_MS = 60_000;
/** The average number of refreshes in a sign-in that nothing ends. */
const REFRESHES_PER_SIGN_IN = 10;
/** The probability that an application uses a code or refresh token twice at the same time. */
const DOUBLE_USE_PROBABILITY = 0.01;
const SCOPES = ['openid profile', 'openid profile offline_access'];

export interface OAuthPerson {
  readonly id: string;
  /** The session cookie. */
  readonly cookie: string;
  readonly address: string;
}

export interface OAuthClientKey {
  readonly id: string;
  readonly secret: string;
}

/** What a code or refresh token was exchanged for. */
interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A sign-in as the application knows it. */
interface SignIn {
  readonly client: OAuthClientKey;
  /** All codes and tokens, the newest refresh token last. */
  readonly values: string[];
  /** Whether the service can have got a code or refresh token twice: an answer was lost, or the application used a value twice. */
  isDoubtful: boolean;
}

/** What the applications saw. */
export class OAuthLog {
  readonly counts = { signIns: 0, refreshes: 0, doubleUses: 0, ended: 0, abandonedRequests: 0 };
  readonly problems: string[] = [];
  readonly grants = new Set<string>();
  /** The hashes of the codes and tokens of sign-ins that a second use ended. */
  readonly endedHashes: Buffer[] = [];
  readonly usersWithEnd = new Set<string>();
  longestPauseMs = 0;
}

/** A user with a browser who signs in at applications, and the applications, which refresh the tokens. They repeat what gets no answer. */
export class OAuthUser {
  private current?: SignIn;

  constructor(
    private readonly person: OAuthPerson,
    private readonly clients: readonly OAuthClientKey[],
    private readonly answers: OAuthAnswers,
    private readonly log: OAuthLog,
    private readonly random: Random,
  ) {}

  /** Signs in and refreshes until `isDone`. */
  async run(isDone: () => boolean): Promise<void> {
    while (!isDone() && (await this.signIn())) {
      const refreshes = this.random.between(1, 2 * REFRESHES_PER_SIGN_IN - 1);
      for (let count = 0; count < refreshes && this.current; count++) await this.refresh();
    }
  }

  /** Refreshes the tokens of the last sign-in and signs in once more, after all faults. */
  async finish(): Promise<void> {
    if (this.current) await this.refresh();
    await this.signIn();
  }

  /** The hash of the only refresh token that must be valid. */
  get liveHash(): Buffer | undefined {
    return this.current && hashToken(this.current.values.at(-1)!);
  }

  /** Signs in, and repeats what fails. Returns false if this takes too long. */
  private async signIn(): Promise<boolean> {
    const startedAt = performance.now();
    const client = this.random.pick(this.clients);
    while (performance.now() - startedAt < GO_ON_LIMIT_MS) {
      const verifier = randomBytes(32).toString('base64url');
      const code = await this.authorize(client, verifier);
      if (code !== undefined) {
        this.current = { client, values: [code], isDoubtful: false };
        const parameters = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
        if (await this.exchange(this.current, parameters)) {
          this.log.counts.signIns++;
          this.log.grants.add(`${this.person.id} ${client.id}`);
          this.log.longestPauseMs = Math.max(this.log.longestPauseMs, performance.now() - startedAt);
          return true;
        }
      }
      await sleep(REPEAT_AFTER_MS);
    }
    this.log.problems.push(`${this.person.id} could not sign in at ${client.id}`);
    return false;
  }

  private async refresh(): Promise<void> {
    const signIn = this.current!;
    const parameters = { grant_type: 'refresh_token', refresh_token: signIn.values.at(-1)! };
    if (await this.exchange(signIn, parameters)) this.log.counts.refreshes++;
  }

  /** Sends an authorization request in the browser. Returns the code, or undefined if the browser must start again. */
  private async authorize({ id }: OAuthClientKey, verifier: string): Promise<string | undefined> {
    const jar = new Map<string, string>();
    let next: string | undefined = `/oauth/authorize?${new URLSearchParams({
      client_id: id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: this.random.pick(SCOPES),
      code_challenge: hash('sha256', verifier, 'base64url'),
      code_challenge_method: 'S256',
      state: verifier.slice(0, 10),
    })}`;
    while (next !== undefined) {
      const response = await this.answers.send('GET', next, this.browserHeaders(jar));
      if (!response) break;
      for (const line of response.headers.getSetCookie()) keepCookie(jar, line);
      const url: URL = new URL(response.headers.get('location') ?? '/', 'http://localhost');
      if (CALLBACK.startsWith(url.origin)) return this.codeOf(url);
      const interaction = url.pathname === '/account/authorize' ? url.searchParams.get('interaction') : null;
      if (url.pathname !== '/' && interaction === null) next = url.pathname + url.search;
      else if (interaction !== null) next = await this.allow(interaction, jar);
      else {
        this.log.problems.push(`GET ${next} returned ${response.status}: ${String(response.body).slice(0, 500)}`);
        break;
      }
    }
    this.log.counts.abandonedRequests++;
    return undefined;
  }

  private codeOf({ searchParams }: URL): string | undefined {
    const [code, error] = [searchParams.get('code'), searchParams.get('error')];
    // The library can only tell the application that the database did not respond.
    if (code === null && error !== 'server_error') this.log.problems.push(`an authorization request ended with ${error}`);
    return code ?? undefined;
  }

  /** Allows the access. Returns where the browser continues. */
  private async allow(interaction: string, jar: ReadonlyMap<string, string>): Promise<string | undefined> {
    const path = `/v1/oauth/interactions/${interaction}/consent`;
    const headers = { ...this.browserHeaders(jar), 'content-type': 'application/json' };
    const response = await this.answers.send('POST', path, headers, '{}');
    if (response && response.status !== 200) this.log.problems.push(`the consent returned ${JSON.stringify(response.body)}`);
    return response?.status === 200 ? new URL(response.body.data.redirectTo, 'http://localhost').pathname : undefined;
  }

  private browserHeaders(jar: ReadonlyMap<string, string>): Record<string, string> {
    const cookies = [this.person.cookie, ...[...jar].map(([name, value]) => `${name}=${value}`)];
    return { cookie: cookies.join('; '), 'sec-fetch-site': 'same-origin', 'x-forwarded-for': this.person.address };
  }

  /** Exchanges the newest code or refresh token of a sign-in, and repeats the request without an answer. Returns whether the sign-in goes on. */
  private async exchange(signIn: SignIn, parameters: Record<string, string>): Promise<boolean> {
    const deadline = performance.now() + GO_ON_LIMIT_MS;
    let accepted = 0;
    let isRefused = false;
    let uses = this.random.chance(DOUBLE_USE_PROBABILITY) ? 2 : 1;
    if (uses === 2) this.log.counts.doubleUses++;
    while (accepted === 0 && !isRefused && performance.now() < deadline) {
      if (uses === 2) signIn.isDoubtful = true;
      const answers = await Promise.all(Array.from({ length: uses }, () => this.requestTokens(signIn, parameters)));
      uses = 1;
      for (const answer of answers) {
        if (answer === 'refused') isRefused = true;
        else if (answer === 'lost') signIn.isDoubtful = true;
        else {
          accepted++;
          signIn.values.push(answer.access_token, answer.refresh_token);
        }
      }
      if (accepted === 0 && !isRefused) await sleep(REPEAT_AFTER_MS);
    }
    if (accepted > 1) this.log.problems.push(`${parameters['grant_type']} was accepted ${accepted} times`);
    if (isRefused && !signIn.isDoubtful) this.log.problems.push(`${parameters['grant_type']} was refused without a reason`);
    if (accepted > 0 && !isRefused) return true;
    if (isRefused) this.recordEnd(signIn);
    else this.log.problems.push(`${parameters['grant_type']} got no answer`);
    delete this.current;
    return false;
  }

  private async requestTokens({ client }: SignIn, parameters: Record<string, string>): Promise<Tokens | 'refused' | 'lost'> {
    const body = new URLSearchParams({ client_id: client.id, client_secret: client.secret, ...parameters }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': this.person.address };
    const response = await this.answers.send('POST', '/oauth/token', headers, body);
    if (!response) return 'lost';
    if (response.status === 200) return response.body as Tokens;
    if (response.body.error !== 'invalid_grant')
      this.log.problems.push(`${parameters['grant_type']} returned ${response.status}: ${JSON.stringify(response.body)}`);
    return 'refused';
  }

  private recordEnd({ values }: SignIn): void {
    this.log.counts.ended++;
    this.log.endedHashes.push(...values.map(hashToken));
    this.log.usersWithEnd.add(this.person.id);
  }
}

function keepCookie(jar: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
  if (value === '') jar.delete(name);
  else jar.set(name, value);
}
