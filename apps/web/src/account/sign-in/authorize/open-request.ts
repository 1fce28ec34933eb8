import type { Schema } from '../../../api/client';

/** A request of an application that waits for an answer of the signed-in user. */
export interface OpenRequest {
  readonly interaction: Schema<'OauthInteractionResponse'>;
  readonly email: string;
}
