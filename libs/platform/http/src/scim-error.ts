export const SCIM_MEDIA_TYPE = 'application/scim+json';

/** An error of SCIM (RFC 7644, section 3.12). */
export interface ScimError {
  schemas: string[];
  status: string;
  scimType?: string;
  detail: string;
}

const SYNTAX_CODES = new Set(['malformed_json', 'malformed_request', 'json_too_deep', 'json_too_wide', 'unsupported_media_type']);

/** Converts the description of an error to the format of SCIM, which has no 422. */
export function toScimError(
  { status, code, detail }: { readonly status: number; readonly code: string; readonly detail: string },
  error: unknown,
): ScimError {
  const scimStatus = status === 422 ? 400 : status;
  const scimType = (error as { scimType?: string } | undefined)?.scimType ?? typeOf(scimStatus, code);
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(scimStatus),
    ...(scimType === undefined ? {} : { scimType }),
    detail,
  };
}

function typeOf(status: number, code: string): string | undefined {
  if (status === 409) return code.endsWith('_taken') || code.endsWith('_conflict') ? 'uniqueness' : undefined;
  if (status !== 400) return undefined;
  return SYNTAX_CODES.has(code) ? 'invalidSyntax' : 'invalidValue';
}

/** Matches the paths of SCIM. Routes are case-insensitive. */
const SCIM_PATH = /^\/scim\/v2(?:\/|$)/i;

export const isScimPath = (path: string): boolean => SCIM_PATH.test(path);
