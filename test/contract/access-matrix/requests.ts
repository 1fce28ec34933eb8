import { FACTOR_ROWS } from './factor-requests.js';
import { IDENTITY_ROWS } from './identity-requests.js';
import { ORGANIZATION_ROWS } from './organization-requests.js';
import { type MatrixRequest, type MatrixRow, open } from './row.js';
import { SIGN_IN_ROWS } from './sign-in-requests.js';
import { USER_ROWS } from './user-requests.js';
import { WEBHOOK_ROWS } from './webhook-requests.js';

/** One row or more for each operation of the OpenAPI document, by operation id. A request must be valid for whoever may send it. */
export const ROWS: Readonly<Record<string, readonly MatrixRow[]>> = {
  getLiveness: [open('/health/live')],
  getReadiness: [open('/health/ready')],
  getMetrics: [open('/metrics')],
  ...ORGANIZATION_ROWS,
  ...WEBHOOK_ROWS,
  ...USER_ROWS,
  ...SIGN_IN_ROWS,
  ...FACTOR_ROWS,
  ...IDENTITY_ROWS,
};

/** The request's body as it is sent, with its media type. */
export function sentBody({ body, type, headers = {} }: MatrixRequest): { text?: string; headers: Record<string, string> } {
  if (body === undefined) return { headers };
  if (type !== undefined) return { text: String(body), headers: { 'content-type': type } };
  return { text: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
}
