import { Injectable } from '@nestjs/common';
import type { ClientReference, RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { readCookies, type ServiceRequest } from '#platform/http';
import { interactionCookie } from '../interactions/interaction-cookie.js';
import { InteractionNotFound } from '../interactions/interaction-errors.js';
import { InteractionStoreService } from '../interactions/interaction-store.service.js';
import type { StoredInteraction } from './library.js';

const SIGN_IN_PATH = /^\/v1\/auth\//;
const SIGN_IN_PROMPTS = new Set(['login', 'create']);
/** A browser can have several authorization requests at once. */
const MAX_REQUESTS = 5;

/** Finds the client whose authorization request waits for a sign-in, so that the event of the sign-in names the client. */
@Injectable()
export class WaitingClientsService {
  constructor(
    private readonly store: InteractionStoreService,
    private readonly config: AppConfig,
  ) {}

  /** Adds `findWaitingClient` to the context of a request that can sign a user in. */
  attach(request: ServiceRequest): void {
    if (!SIGN_IN_PATH.test(request.path)) return;
    const prefix = interactionCookie(this.config, '').name;
    const ids = readCookies(request).flatMap(([name]) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
    if (ids.length === 0) return;
    const { context } = request;
    request.context = { ...context, findWaitingClient: () => this.find(context, ids.slice(-MAX_REQUESTS)) };
  }

  /** Returns the client of the latest request that waits for a sign-in. */
  private async find(ctx: RequestContext, ids: readonly string[]): Promise<ClientReference | undefined> {
    const found = await Promise.all(ids.map((id) => unlessEnded(this.store.find(ctx, id))));
    const waiting = found.filter(
      (each): each is StoredInteraction => each !== undefined && SIGN_IN_PROMPTS.has(each.prompt.name),
    );
    const [latest] = waiting.toSorted((a, b) => b.iat - a.iat);
    const client = latest && (await unlessEnded(this.store.findClient(ctx, latest)));
    return client && { id: client.id, name: client.name };
  }
}

const unlessEnded = <T>(finding: Promise<T>): Promise<T | undefined> =>
  finding.catch((error: unknown) => {
    if (error instanceof InteractionNotFound) return undefined;
    throw error;
  });
