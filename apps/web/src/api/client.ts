import createClient from 'openapi-fetch';
import { ApiProblem } from './problem';
import type { components, paths } from './schema.gen';

/** The service's API as these pages call it: from the same origin, with the session in a cookie that no script can read. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'same-origin',
  headers: { 'session-transport': 'cookie' },
  // Looked up at each call.
  fetch: (request) => window.fetch(request),
});

/** A resource as the API names it in OpenAPI. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

/** What every call answers with: the body of a success, or a problem. */
interface Answer<Body> {
  readonly data?: Body;
  readonly error?: unknown;
  readonly response: Response;
}

/** Waits for a call's answer and gives the body of a success. @throws ApiProblem for any other answer, or when there is none */
export async function answerOf<Body>(call: Promise<Answer<Body>>): Promise<Body> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw ApiProblem.unreachable(cause);
  });
  if (!response.ok) throw ApiProblem.from(response, error);
  return data as Body;
}

/** As `answerOf`, with the version of the resource that a later change can name in `If-Match`. */
export async function taggedAnswerOf<Body>(call: Promise<Answer<Body>>): Promise<{ body: Body; etag: string }> {
  let etag = '';
  const body = await answerOf(
    call.then((answer) => {
      etag = answer.response.headers.get('etag') ?? '';
      return answer;
    }),
  );
  return { body, etag };
}
