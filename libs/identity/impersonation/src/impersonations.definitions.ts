import { defineEvents } from '#platform/events';
import { defineApiSection } from '#platform/http';
import type { Impersonation } from './impersonation.entity.js';

/** An impersonation in the `data` of events. */
export interface ImpersonationData {
  impersonationId: string;
  userId: string;
  /** The user who asked to act. */
  impersonatorId: string;
  reason: string;
  durationSeconds: number;
  /** Who had to approve. */
  approval: string;
}

export interface ImpersonationEndedData extends ImpersonationData {
  /** Whether the impersonator was signed in as the user. */
  started: boolean;
  endedReason: string;
}

declare module '#platform/events' {
  interface EventCatalog {
    'user.impersonation_requested': ImpersonationData;
    'user.impersonation_approved': ImpersonationData;
    'user.impersonation_denied': ImpersonationData;
    'user.impersonation_started': ImpersonationData & { sessionId: string; endsAt: string };
    'user.impersonation_ended': ImpersonationEndedData;
  }
}

defineApiSection(
  'Impersonation',
  'Sign-ins of support as other users, with a reason, an end, and a trail. The user is notified, and can end them at any time.',
);

const EXAMPLE: ImpersonationData = {
  impersonationId: 'imp_01kf2bav4hf7r8v2m5n9q1c3ek',
  userId: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  impersonatorId: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xz',
  reason: 'Ticket 4711: the invoice page is empty',
  durationSeconds: 1_800,
  approval: 'none',
};

defineEvents({
  'user.impersonation_requested': {
    description:
      'A user asked to sign in as another user for support. `approval` is who must approve: `none`, `second_person` or `user`.',
    example: EXAMPLE,
  },
  'user.impersonation_approved': {
    description: 'The request to sign in as a user was approved by the user or by a second person.',
    example: { ...EXAMPLE, approval: 'user' },
  },
  'user.impersonation_denied': {
    description: 'The request to sign in as a user was denied.',
    example: { ...EXAMPLE, approval: 'user' },
  },
  'user.impersonation_started': {
    description:
      'A user signed in as another user for support. Events that the impersonator causes from now on have the user as `actor`, and the impersonator in `actor.impersonator`.',
    example: { ...EXAMPLE, sessionId: 'ses_01kf2bj5nyf3k7t9w1m4c8x6vd', endsAt: '2026-01-15T10:30:00.000Z' },
  },
  'user.impersonation_ended': {
    description:
      'The impersonation ended, or its request ended before the start. `endedReason` is `time_over`, `not_started`, `ended_by_impersonator`, `ended_by_user`, `ended_by_administrator` or `session_ended`: the impersonator signed out, a session ended, or the impersonator may no longer act for the user.',
    example: { ...EXAMPLE, started: true, endedReason: 'time_over' },
  },
});

export const impersonationData = (impersonation: Impersonation): ImpersonationData => {
  const { id: impersonationId, userId, impersonatorId, reason, durationSeconds, approval } = impersonation;
  return { impersonationId, userId, impersonatorId, reason, durationSeconds, approval };
};
