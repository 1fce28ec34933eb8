import { createInterface } from 'node:readline/promises';
import { createIdentityClient, type IdentityClient, type Listing, VERSION } from '@identity-service/client';
import type { Command } from 'commander';
import { type Config, readConfig } from './config-file.js';
import { CommandError, EXIT } from './failures.js';
import { freshToken } from './sign-in.js';
import { type Columns, fields, note, print, printJson, table } from './output.js';

/** The User-Agent of this program in the event log. */
export const USER_AGENT = `identity-service-cli/${VERSION}`;

interface SharedOptions {
  readonly baseUrl?: string;
  readonly organization?: string;
  readonly json?: boolean;
}

export class Context {
  readonly #options: SharedOptions;
  readonly config: Config;

  constructor(command: Command) {
    this.#options = command.optsWithGlobals<SharedOptions>();
    this.config = readConfig();
  }

  get baseUrl(): string {
    const url =
      this.#options.baseUrl ?? process.env['IDENTITY_SERVICE_BASE_URL'] ?? this.config.baseUrl ?? 'http://localhost:3000';
    return url.replace(/(?<!\/)\/+$/, '');
  }

  get isJson(): boolean {
    return this.#options.json === true;
  }

  get client(): IdentityClient {
    const { baseUrl, apiKey } = this;
    const headers = { 'user-agent': USER_AGENT };
    if (apiKey !== undefined) return createIdentityClient({ baseUrl, apiKey, headers });
    this.assertCredential();
    return createIdentityClient({ baseUrl, headers, fetch: (request) => this.#fetchSignedIn(request) });
  }

  /** Returns the API key. A stored key or sign-in is sent only to the service for which it was stored. */
  get apiKey(): string | undefined {
    return process.env['IDENTITY_SERVICE_API_KEY'] || (this.#isStoredFor ? this.config.apiKey : undefined);
  }

  get isSignedIn(): boolean {
    return this.apiKey === undefined && this.#isStoredFor && this.config.signIn !== undefined;
  }

  /** @throws CommandError without an API key and a sign-in */
  assertCredential(): void {
    if (this.apiKey !== undefined || this.isSignedIn) return;
    throw new CommandError(
      `You are not signed in to ${this.baseUrl}, and there is no API key. Run "identity-service login", or set IDENTITY_SERVICE_API_KEY.`,
      EXIT.unauthenticated,
    );
  }

  get #isStoredFor(): boolean {
    return this.baseUrl === this.config.baseUrl;
  }

  async #fetchSignedIn(request: Request): Promise<Response> {
    request.headers.set('authorization', `Bearer ${await freshToken(this.baseUrl)}`);
    return fetch(request);
  }

  get organization(): string {
    const organization = this.#options.organization ?? process.env['IDENTITY_SERVICE_ORGANIZATION'] ?? this.config.organization;
    if (organization === undefined) {
      // If the API key is missing as well, throws the error about the API key.
      this.assertCredential();
      throw new CommandError(
        'The organization is missing. Set it with -o, with IDENTITY_SERVICE_ORGANIZATION, or with "identity-service login -o <organization>".',
      );
    }
    return organization;
  }

  async showList<Row>(list: Listing<Row>, { limit }: { limit: number }, columns: Columns<Row>): Promise<void> {
    const rows = await list.take(limit);
    if (this.isJson) return printJson(rows);
    for (const line of table(rows, columns)) print(line);
    if (rows.length === limit) {
      const { total } = (await list.page()).pagination;
      if (total > rows.length) note(`Showing ${rows.length} of ${total}. Use --limit to show more.`);
    }
  }

  show(resource: object): void {
    if (this.isJson) printJson(resource);
    else for (const line of fields(resource)) print(line);
  }

  /** Prints that a change is done, or with `--json` the changed resource. */
  done(message: string, resource: object): void {
    if (this.isJson) printJson(resource);
    else print(message);
  }

  /** Asks for confirmation of a deletion. @throws CommandError if the user declines */
  async confirm(question: string, isConfirmed: boolean | undefined): Promise<void> {
    if (isConfirmed) return;
    if (!process.stdin.isTTY) throw new CommandError(`${question} Standard input is not a terminal; confirm with --yes.`);
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const reply = await terminal.question(`${question} [y/N] `);
      if (!/^y(es)?$/i.test(reply.trim())) throw new CommandError('Canceled.', EXIT.refused);
    } finally {
      terminal.close();
    }
  }
}
