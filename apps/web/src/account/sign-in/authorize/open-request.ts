import { api, type Schema, unwrap } from '../../../api/client';
import { loadMe } from '../destination';

/** An authorization request that waits for an answer, and the user who answers. */
export interface OpenRequest {
  readonly interaction: Schema<'OauthInteractionResponse'>;
  readonly email: string;
}

/** @throws ApiProblem 401 without a session, 404 if the request is over */
export async function loadRequest(id: string): Promise<OpenRequest> {
  const [{ data: interaction }, { email }] = await Promise.all([
    unwrap(api.GET('/v1/oauth/interactions/{id}', { params: { path: { id } } })),
    loadMe(),
  ]);
  return { interaction, email };
}
