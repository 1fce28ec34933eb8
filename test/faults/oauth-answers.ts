import { TestClient, type TestResponse } from '../support/http-client.js';
import type { Random } from './random.js';

/** The probability that the network loses a response. */
const LOSS_PROBABILITY = 0.005;

/** Sends requests of browsers and applications to the API processes in turn, and counts them. */
export class OAuthAnswers {
  readonly counts = { requests: 0, lost: 0 };
  /** Responses that no client can expect. */
  readonly problems: string[] = [];
  private readonly clients: readonly TestClient[];

  constructor(
    urls: readonly string[],
    /** Counts the responses. */
    private readonly progress: { answered: number },
    /** Selects the processes, and loses responses. */
    private readonly random: Random,
  ) {
    this.clients = urls.map((url) => new TestClient(url));
  }

  /** Returns undefined if the response is lost, or if the service asks for a repetition. A change can then have happened. */
  async send(
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<TestResponse | undefined> {
    this.counts.requests++;
    const isLost = this.random.chance(LOSS_PROBABILITY);
    const response = await this.random
      .pick(this.clients)
      .raw(method, path, body, headers)
      .catch(() => undefined);
    if (!response || isLost || response.status === 503) {
      this.counts.lost++;
      return undefined;
    }
    this.progress.answered++;
    if (response.status >= 500 || response.status === 429) {
      this.problems.push(`${method} ${path.split('?')[0]} returned ${response.status}: ${JSON.stringify(response.body)}`);
      return undefined;
    }
    return response;
  }
}
