import { type Changes, defineIdPrefix, definePermissions } from '#platform/common';
import { defineEvents } from '#platform/events';
import { defineApiSection } from '#platform/http';

/** A stream of security events in the `data` of events. The address has only its origin, because paths can contain credentials. */
export interface SsfStreamData {
  id: string;
  organizationId: string;
  /** Absent for the stream of the API keys of the organization. */
  clientId?: string;
  deliveryMethod: string;
  /** Absent if the receiver polls. */
  origin?: string;
  eventsRequested: string[];
  description: string | null;
  subjectFormat: string;
  status: string;
  statusReason: string | null;
  createdAt: string;
}

/** A requested verification of a stream, in the `data` of events. */
export interface SsfVerificationData extends Pick<SsfStreamData, 'id' | 'organizationId' | 'clientId'> {
  /** Absent if the receiver sent none. */
  state?: string;
}

declare module '#platform/common' {
  interface ResourceKinds {
    ssfStream: string;
  }
  interface ServicePermissions {
    'ssf_streams:read': string;
    'ssf_streams:write': string;
  }
}

declare module '#platform/events' {
  interface EventCatalog {
    'ssf_stream.created': SsfStreamData;
    'ssf_stream.updated': SsfStreamData & { changedBy: string; changes: Changes };
    'ssf_stream.deleted': SsfStreamData;
    'ssf_stream.verification_requested': SsfVerificationData;
  }
}

defineIdPrefix('ssfStream', 'ssf');

defineApiSection(
  'Shared signals',
  'Streams of security events that OAuth clients and API keys created (OpenID Shared Signals Framework 1.0): status, deliveries and deletion by administrators.',
);

definePermissions(
  {
    'ssf_streams:read': 'View streams of shared signals and their deliveries.',
    'ssf_streams:write': 'Create, update and delete streams of shared signals, and receive their events.',
  },
  { admin: ['ssf_streams:*'], viewer: ['ssf_streams:read'] },
);

const CLIENT_ID = 'app_01kf2bav4hf7r8v2m5n9q1c3ek';

const STREAM: SsfStreamData = {
  id: 'ssf_01kf2bav4hf7r8v2m5n9q1c3ek',
  organizationId: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  clientId: CLIENT_ID,
  deliveryMethod: 'push',
  origin: 'https://receiver.example.com',
  eventsRequested: ['https://schemas.openid.net/secevent/caep/event-type/session-revoked'],
  description: 'Sessions of the intranet',
  subjectFormat: 'iss_sub',
  status: 'enabled',
  statusReason: 'Maintenance is over',
  createdAt: '2026-01-15T09:00:00.000Z',
};

const OPTIONAL = ['clientId', 'origin'] as const;

defineEvents({
  'ssf_stream.created': { description: 'A receiver created a stream of shared signals.', example: STREAM, optional: OPTIONAL },
  'ssf_stream.updated': {
    description:
      'A stream of shared signals was changed. `changedBy` is `receiver` or `administrator`. `changes` contains the previous and the new value of each changed field. The receiver gets the event `stream-updated` if an administrator changed the status.',
    example: { ...STREAM, status: 'paused', changedBy: 'administrator', changes: { status: { from: 'enabled', to: 'paused' } } },
    optional: OPTIONAL,
  },
  'ssf_stream.deleted': { description: 'A stream of shared signals was deleted.', example: STREAM, optional: OPTIONAL },
  'ssf_stream.verification_requested': {
    description:
      'A receiver requested a verification of its stream of shared signals. The stream then contains the event `verification` with the same `state`.',
    example: {
      id: STREAM.id,
      organizationId: STREAM.organizationId,
      clientId: CLIENT_ID,
      state: 'VGhpcyBpcyBhbiBleGFtcGxl',
    },
    optional: ['clientId', 'state'],
  },
});
