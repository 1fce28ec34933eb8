import type { ApplicationApprovalData } from './approval.definitions.js';
import type { ApplicationApproval } from './application-approval.entity.js';

/** Returns the `data` of events about an approval. */
export const approvalData = (
  { id, organizationId, clientId, status, note }: ApplicationApproval,
  clientName: string,
): ApplicationApprovalData => ({ id, organizationId, clientId, clientName, status, note });
