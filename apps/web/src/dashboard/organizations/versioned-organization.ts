import { api, type Schema, unwrapWithEtag } from '../../api/client';

/** An organization with its ETag. */
export interface VersionedOrganization {
  readonly organization: Schema<'OrganizationResponse'>;
  /** Sent in `If-Match` with an update, which the API rejects after a concurrent change. */
  readonly etag: string;
}

/** Loads an organization with its ETag. @throws ApiProblem */
export async function versionedOrganization(id: string): Promise<VersionedOrganization> {
  const { body, etag } = await unwrapWithEtag(api.GET('/v1/organizations/{org}', { params: { path: { org: id } } }));
  return { organization: body.data, etag };
}
