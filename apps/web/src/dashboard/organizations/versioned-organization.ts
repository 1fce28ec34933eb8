import { answerOf, api, type Schema } from '../../api/client';

/** An organization as it was read, with the number of that state. */
export interface VersionedOrganization {
  readonly organization: Schema<'OrganizationResponse'>;
  /** Sent along with a change, which is refused when somebody else changed the organization since. */
  readonly etag: string | undefined;
}

/** Reads an organization for the sake of changing it. @throws ApiProblem */
export async function versionedOrganization(id: string): Promise<VersionedOrganization> {
  let etag: string | undefined;
  const call = api.GET('/v1/organizations/{org}', { params: { path: { org: id } } }).then((answer) => {
    etag = answer.response.headers.get('etag') ?? undefined;
    return answer;
  });
  return { organization: (await answerOf(call)).data, etag };
}
