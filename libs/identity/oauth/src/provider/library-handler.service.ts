import { Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LibraryProvider } from './library.js';
import { OAuthProviderService } from './oauth-provider.service.js';
import { OAuthRequestsService } from './oauth-requests.service.js';

/** Lets the library handle requests, and commits what they write. */
@Injectable()
export class LibraryHandlerService {
  private readonly callbacks = new WeakMap<LibraryProvider, ReturnType<LibraryProvider['callback']>>();

  constructor(
    private readonly providers: OAuthProviderService,
    private readonly requests: OAuthRequestsService,
  ) {}

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.callbackOf(await this.providers.get())(request, response);
  }

  private callbackOf(provider: LibraryProvider): ReturnType<LibraryProvider['callback']> {
    const existing = this.callbacks.get(provider);
    if (existing) return existing;
    provider.use(this.requests.commit);
    const callback = provider.callback();
    this.callbacks.set(provider, callback);
    return callback;
  }
}
