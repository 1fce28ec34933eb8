import { Injectable } from '@nestjs/common';
import type { ServiceRequest } from '#platform/http';
import type { Response } from 'express';
import { OAuthClientsService } from '../clients/oauth-clients.service.js';
import { MetadataEndpointsService } from '../registration/metadata-endpoints.service.js';
import { RegistrationEndpointService } from '../registration/registration-endpoint.service.js';
import type { LibraryProvider } from './library.js';
import { LibraryExtensionsService } from './library-extensions.service.js';
import { OAuthAdapterService } from './oauth-adapter.service.js';
import { currentRequest } from './oauth-request.js';
import { OAuthProviderService } from './oauth-provider.service.js';

type Callback = ReturnType<LibraryProvider['callback']>;

/** Lets the library handle requests, except registrations, which it would store, and commits what they write. */
@Injectable()
export class LibraryHandlerService {
  private readonly callbacks = new WeakMap<LibraryProvider, Promise<Callback>>();

  constructor(
    private readonly providers: OAuthProviderService,
    private readonly extensions: LibraryExtensionsService,
    private readonly adapter: OAuthAdapterService,
    private readonly clients: OAuthClientsService,
    private readonly registration: RegistrationEndpointService,
    private readonly metadata: MetadataEndpointsService,
  ) {}

  async handle(request: ServiceRequest, response: Response): Promise<void> {
    if (this.metadata.respond(request, response) || (await this.registration.respond(request, response))) return;
    if (request.path === '/oauth/device') await this.clients.ensureCommandLineClient(currentRequest().ctx);
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
    await this.extensions.extend(provider);
    return provider.callback();
  }
}
