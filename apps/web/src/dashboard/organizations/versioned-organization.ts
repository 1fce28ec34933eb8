import { unwrap, api, type Schema } from '../../api/client';

/** An organization with its ETag. */
export interface VersionedOrganization {
  readonly organization: Schema<'OrganizationResponse'>;
  /** Sent in `If-Match` with an update, which the API rejects after a concurrent change. */
  readonly etag: string | undefined;
}

/** Loads an organization with its ETag. @throws ApiProblem */
export async function versionedOrganization(id: string): Promise<VersionedOrganization> {
  let etag: string | undefined;
  const call = api.GET('/v1/organizations/{org}', { params: { path: { org: id } } }).then((answer) => {
    etag = answer.response.headers.get('etag') ?? undefined;
    return answer;
  });
  return { organization: (await unwrap(call)).data, etag };
}
