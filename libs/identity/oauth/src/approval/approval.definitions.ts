import { defineIdPrefix, definePermissions } from '#platform/common';
import { defineEvents } from '#platform/events';
import { defineApiSection } from '#platform/http';

/** The decision of owners about an application, in the `data` of events. */
export interface ApplicationApprovalData {
  id: string;
  organizationId: string;
  clientId: string;
  clientName: string;
  status: string;
  note: string | null;
}

declare module '#platform/common' {
  interface ResourceKinds {
    applicationApproval: string;
  }
  interface ServicePermissions {
    'application_approvals:read': string;
    'application_approvals:write': string;
  }
}

declare module '#platform/events' {
  interface EventCatalog {
    'oauth_client.approval_requested': ApplicationApprovalData & { requesterId: string; reason: string };
    'oauth_client.approval_approved': ApplicationApprovalData;
    'oauth_client.approval_denied': ApplicationApprovalData;
    'oauth_client.approval_revoked': ApplicationApprovalData;
  }
}

defineIdPrefix('applicationApproval', 'aap');

defineApiSection('Application approvals', 'Decisions of owners about applications that the organization did not create.');

definePermissions(
  {
    'application_approvals:read': 'View requests for applications, and the decisions.',
    'application_approvals:write': 'Approve, deny and revoke applications that the organization did not create.',
  },
  { admin: ['application_approvals:read'], viewer: ['application_approvals:read'] },
);

const APPROVAL: ApplicationApprovalData = {
  id: 'aap_01kf2bav4hf7r8v2m5n9q1c3ek',
  organizationId: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  clientId: 'app_01kf2bav4hf7r8v2m5n9q1c3ek',
  clientName: 'Calendar',
  status: 'approved',
  note: 'For everybody',
};

defineEvents({
  'oauth_client.approval_requested': {
    description:
      'A user asked for an application that an owner must approve. Later requests for the same application publish no event.',
    example: {
      ...APPROVAL,
      status: 'pending',
      requesterId: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
      reason: 'To see our invoices in the calendar',
    },
  },
  'oauth_client.approval_approved': {
    description: 'An application was approved for an organization and its descendants.',
    example: APPROVAL,
  },
  'oauth_client.approval_denied': {
    description: 'A request for an application was denied.',
    example: { ...APPROVAL, status: 'denied', note: 'Use the calendar of the organization' },
  },
  'oauth_client.approval_revoked': {
    description:
      'The approval of an application was revoked. What users of the organization and its descendants allowed it has ended.',
    example: { ...APPROVAL, status: 'revoked' },
  },
});
