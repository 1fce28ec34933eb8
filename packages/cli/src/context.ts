import { createInterface } from 'node:readline/promises';
import { createIdentityClient, type IdentityClient, type Listing, VERSION } from '@identity-service/client';
import type { Command } from 'commander';
import { type Config, readConfig } from './config-file.js';
import { CommandError, EXIT } from './failures.js';
import { type Columns, fields, note, print, printJson, table } from './output.js';

/** How the log of events names this program. */
export const USER_AGENT = `identity-service-cli/${VERSION}`;

/** Options of all commands. */
interface SharedOptions {
  readonly baseUrl?: string;
  readonly organization?: string;
  readonly json?: boolean;
}

/** What a command works with: the service, the organization, and how to show what comes. */
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
    return url.replace(/\/+$/, '');
  }

  get isJson(): boolean {
    return this.#options.json === true;
  }

  get client(): IdentityClient {
    return createIdentityClient({ baseUrl: this.baseUrl, apiKey: this.knownKey, headers: { 'user-agent': USER_AGENT } });
  }

  /** A kept key is sent to the service that it was given for, and to no other. */
  get knownKey(): string {
    const key = process.env['IDENTITY_SERVICE_API_KEY'] || (this.baseUrl === this.config.baseUrl && this.config.apiKey);
    if (key) return key;
    throw new CommandError(
      `There is no API key for ${this.baseUrl}. Run "identity-service login", or set IDENTITY_SERVICE_API_KEY.`,
      EXIT.unauthenticated,
    );
  }

  /** The organization by id or slug. */
  get organization(): string {
    const organization = this.#options.organization ?? process.env['IDENTITY_SERVICE_ORGANIZATION'] ?? this.config.organization;
    if (organization === undefined) {
      // Who has not come in yet needs to hear that first.
      void this.knownKey;
      throw new CommandError(
        'The organization is missing. Set it with -o, with IDENTITY_SERVICE_ORGANIZATION, or with "identity-service login -o <organization>".',
      );
    }
    return organization;
  }

  /** Shows the beginning of a list, and says how much there is. */
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

  /** Says that something is done; as JSON, what. */
  done(what: string, resource: object): void {
    if (this.isJson) printJson(resource);
    else print(what);
  }

  /** Asks before something is gone. */
  async confirm(question: string, isConfirmed: boolean | undefined): Promise<void> {
    if (isConfirmed) return;
    if (!process.stdin.isTTY) throw new CommandError(`${question} Standard input is not a terminal; confirm with --yes.`);
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      const answer = await terminal.question(`${question} [y/N] `);
      if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Canceled.', EXIT.refused);
    } finally {
      terminal.close();
    }
  }
}
