import { createInterface } from 'node:readline/promises';
import { createIdentityClient, type IdentityClient, type Listing, VERSION } from '@identity-service/client';
import type { Command } from 'commander';
import { type Config, readConfig } from './config-file.js';
import { CommandError, EXIT } from './failures.js';
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
    return createIdentityClient({ baseUrl: this.baseUrl, apiKey: this.apiKey, headers: { 'user-agent': USER_AGENT } });
  }

  /** Returns the API key. A stored key is sent only to the service for which it was stored. */
  get apiKey(): string {
    const key = process.env['IDENTITY_SERVICE_API_KEY'] || (this.baseUrl === this.config.baseUrl && this.config.apiKey);
    if (key) return key;
    throw new CommandError(
      `There is no API key for ${this.baseUrl}. Run "identity-service login", or set IDENTITY_SERVICE_API_KEY.`,
      EXIT.unauthenticated,
    );
  }

  get organization(): string {
    const organization = this.#options.organization ?? process.env['IDENTITY_SERVICE_ORGANIZATION'] ?? this.config.organization;
    if (organization === undefined) {
      // If the API key is missing as well, throws the error about the API key.
      void this.apiKey;
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
