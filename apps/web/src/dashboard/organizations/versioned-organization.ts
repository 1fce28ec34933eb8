import { api, type Schema, unwrapWithEtag } from '../../api/client';

export interface VersionedOrganization {
  readonly organization: Schema<'OrganizationResponse'>;
  /** Sent in `If-Match`, so that the API rejects an update after a concurrent change. */
  readonly etag: string;
}

/** Loads an organization with its ETag. @throws ApiProblem */
export async function versionedOrganization(id: string): Promise<VersionedOrganization> {
  const { body, etag } = await unwrapWithEtag(api.GET('/v1/organizations/{org}', { params: { path: { org: id } } }));
  return { organization: body.data, etag };
}
