import { api, type Schema, unwrapWithEtag } from '../../api/client';

export interface VersionedOrganization {
  readonly organization: Schema<'OrganizationResponse'>;
  /** Sent in `If-Match`, so that the API rejects an update after a concurrent change. */
  readonly etag: string;
}

/** Loads an organization with its ETag, now or as of a past moment. @throws ApiProblem */
export async function versionedOrganization(id: string, asOf?: string): Promise<VersionedOrganization> {
  const params = { path: { org: id }, query: { asOf } };
  const { body, etag } = await unwrapWithEtag(api.GET('/v1/organizations/{org}', { params }));
  return { organization: body.data, etag };
}
