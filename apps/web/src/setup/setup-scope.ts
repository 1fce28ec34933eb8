import type { ApiClient, Schema } from '../api/client';

/** The client with the token of the setup link, the organization, and the steps of the link. */
export interface SetupScope {
  readonly client: ApiClient;
  readonly org: string;
  readonly steps: readonly Schema<'OpenedSetupLinkResponse'>['steps'][number][];
}
