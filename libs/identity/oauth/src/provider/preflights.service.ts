import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/common';
import type { ServiceRequest } from '#platform/http';
import type { Response } from 'express';
import { OAuthClientQuery } from '../clients/oauth-client.query.js';

/** Answers the preflights (CORS) of pages that no client registered. The library allows every origin, because a preflight names no client. */
@Injectable()
export class PreflightsService {
  constructor(
    private readonly clientQuery: OAuthClientQuery,
    private readonly clock: Clock,
  ) {}

  /** Returns whether it responded. The library answers other origins, and compares them with those of the client at the request itself. */
  async respond({ method, path, headers, context }: ServiceRequest, response: Response): Promise<boolean> {
    const { origin } = headers;
    if (method !== 'OPTIONS' || !path.startsWith('/oauth/') || origin === undefined) return false;
    if (await this.clientQuery.isOrigin(context, origin, this.clock.now())) return false;
    response.vary('Origin');
    response.status(204).end();
    return true;
  }
}
