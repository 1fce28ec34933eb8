import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { LibraryProvider } from './library.js';
import { JwtBearerService } from '../assertions/jwt-bearer.service.js';
import { TokenExchangeService } from '../exchange/token-exchange.service.js';
import { OAuthAdapterService } from './oauth-adapter.service.js';
import { OAuthProviderService } from './oauth-provider.service.js';
import { OAuthRequestsService } from './oauth-requests.service.js';

type Callback = ReturnType<LibraryProvider['callback']>;

/** Lets the library handle requests, and commits what they write. */
@Injectable()
export class LibraryHandlerService {
  private readonly callbacks = new WeakMap<LibraryProvider, Promise<Callback>>();

  constructor(
    private readonly providers: OAuthProviderService,
    private readonly requests: OAuthRequestsService,
    private readonly adapter: OAuthAdapterService,
    private readonly tokenExchange: TokenExchangeService,
    private readonly jwtBearer: JwtBearerService,
  ) {}

  async handle(request: Request, response: Response): Promise<void> {
    this.adapter.readAhead(request);
    await (
      await this.callbackOf(await this.providers.get())
    )(request, response);
  }

  private callbackOf(provider: LibraryProvider): Promise<Callback> {
    const existing = this.callbacks.get(provider);
    if (existing) return existing;
    const created = this.createCallback(provider);
    this.callbacks.set(provider, created);
    return created;
  }

  private async createCallback(provider: LibraryProvider): Promise<Callback> {
    for (const grantType of [this.tokenExchange, this.jwtBearer]) await grantType.register(provider);
    provider.use(this.requests.commit);
    return provider.callback();
  }
}
