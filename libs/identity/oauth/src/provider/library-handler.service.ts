import { Injectable } from '@nestjs/common';
import type { ServiceRequest } from '#platform/http';
import type { Response } from 'express';
import { CommandLineClientService } from '../devices/command-line-client.service.js';
import { MetadataEndpointsService } from '../registration/metadata-endpoints.service.js';
import { RegistrationEndpointService } from '../registration/registration-endpoint.service.js';
import type { LibraryProvider } from './library.js';
import { OAuthAdapterService } from './oauth-adapter.service.js';
import { currentRequest } from './oauth-request.js';
import { OAuthProviderService } from './oauth-provider.service.js';
import { OAuthRequestsService } from './oauth-requests.service.js';

/** Lets the library handle requests, except registrations, which it would store, and commits what they write. */
@Injectable()
export class LibraryHandlerService {
  private readonly callbacks = new WeakMap<LibraryProvider, ReturnType<LibraryProvider['callback']>>();

  constructor(
    private readonly providers: OAuthProviderService,
    private readonly requests: OAuthRequestsService,
    private readonly adapter: OAuthAdapterService,
    private readonly commandLineClient: CommandLineClientService,
    private readonly registration: RegistrationEndpointService,
    private readonly metadata: MetadataEndpointsService,
  ) {}

  async handle(request: ServiceRequest, response: Response): Promise<void> {
    if (this.metadata.respond(request, response) || (await this.registration.respond(request, response))) return;
    if (request.path === '/oauth/device') await this.commandLineClient.ensure(currentRequest().ctx);
    this.adapter.readAhead(request);
    await this.callbackOf(await this.providers.get())(request, response);
  }

  private callbackOf(provider: LibraryProvider): ReturnType<LibraryProvider['callback']> {
    const existing = this.callbacks.get(provider);
    if (existing) return existing;
    provider.use(this.requests.commit);
    provider.use(this.metadata.extend);
    const callback = provider.callback();
    this.callbacks.set(provider, callback);
    return callback;
  }
}
