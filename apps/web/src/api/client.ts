import createClient from 'openapi-fetch';
import { ApiProblem } from './problem';
import type { components, paths } from './schema.gen';

const clientWithSession = () => {
  const client = createClient<paths>({
    baseUrl: window.location.origin,
    credentials: 'same-origin',
    // Reads `window.fetch` at each call, so that a later replacement has an effect.
    fetch: (request) => window.fetch(request),
  });
  client.use({
    onRequest({ request }) {
      // Only a change can open a session. The requests that the HTML file preloads have no header.
      if (request.method !== 'GET') request.headers.set('session-transport', 'cookie');
    },
  });
  return client;
};

/** The client of the API. The session is in an HTTP-only cookie of the same origin. */
export const api = clientWithSession();

/** As `api`, but never asks the user to sign in again or to confirm their identity. */
export const apiWithoutDialogs = clientWithSession();

export type ApiClient = typeof api;

/** Returns a client of the API that sends a bearer token instead of the session cookie. */
export const clientWithToken = (token: string): ApiClient =>
  createClient<paths>({
    baseUrl: window.location.origin,
    credentials: 'omit',
    headers: { authorization: `Bearer ${token}` },
    fetch: (request) => window.fetch(request),
  });

/** A schema of the OpenAPI document. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

interface ClientResponse<Body> {
  readonly data?: Body;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the body of a successful response. @throws ApiProblem for an error response or a network failure */
export async function unwrap<Body>(call: Promise<ClientResponse<Body>>): Promise<Body> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw cause instanceof ApiProblem ? cause : ApiProblem.unreachable(cause);
  });
  if (!response.ok) throw ApiProblem.from(response, error);
  return data as Body;
}

/** Returns the body, and the ETag for the `If-Match` header of an update. @throws ApiProblem as `unwrap` does */
export async function unwrapWithEtag<Body>(call: Promise<ClientResponse<Body>>): Promise<{ body: Body; etag: string }> {
  const body = await unwrap(call);
  const { response } = await call;
  return { body, etag: response.headers.get('etag') ?? '' };
}
