import type { EventDetails, EventEffect } from './event-details.js';

export const CLASSES = {
  accountChange: { uid: 3_001, name: 'Account Change' },
  authentication: { uid: 3_002, name: 'Authentication' },
  entityManagement: { uid: 3_004, name: 'Entity Management' },
  userAccess: { uid: 3_005, name: 'User Access Management' },
  groupManagement: { uid: 3_006, name: 'Group Management' },
  detectionFinding: { uid: 2_004, name: 'Detection Finding' },
} as const;
export type Class = keyof typeof CLASSES;
type Activity = readonly [id: number, name: string];

export const CATEGORIES: Readonly<Record<number, string>> = { 2: 'Findings', 3: 'Identity & Access Management' };

/** The class of what the schema does not name. */
const other = (name: string): Activity => [99, name];

/** The classes of event types. All other event types are Entity Management, with the activity of their effect. */
const MAPPED: Readonly<Record<string, readonly [Class, Activity]>> = {
  'user.login': ['authentication', [1, 'Logon']],
  'user.login_failed': ['authentication', [1, 'Logon']],
  'security.sso_bypassed': ['authentication', other('Single sign-on bypassed')],
  'user.impersonation_started': ['authentication', other('Impersonation started')],
  'user.impersonation_ended': ['authentication', other('Impersonation ended')],
  'token.exchanged': ['authentication', other('Token exchanged')],
  'user.logout': ['authentication', [2, 'Logoff']],
  'security.session_revoked': ['authentication', [2, 'Logoff']],
  'oauth_session.ended': ['authentication', [2, 'Logoff']],
  'user.created': ['accountChange', [1, 'Create']],
  'user.activated': ['accountChange', [2, 'Enable']],
  'user.password_changed': ['accountChange', [3, 'Password Change']],
  'user.password_reset_requested': ['accountChange', [4, 'Password Reset']],
  'user.suspended': ['accountChange', [5, 'Disable']],
  'user.deleted': ['accountChange', [6, 'Delete']],
  'user.mfa_enabled': ['accountChange', [10, 'MFA Factor Enable']],
  'user.mfa_disabled': ['accountChange', [11, 'MFA Factor Disable']],
  'user.updated': ['accountChange', other('Update')],
  'user.invited': ['accountChange', other('Invitation sent')],
  'user.email_change_requested': ['accountChange', other('Email change requested')],
  'user.email_change_cancelled': ['accountChange', other('Email change canceled')],
  'user.recovery_codes_renewed': ['accountChange', other('Recovery codes renewed')],
  'role.assigned': ['userAccess', [1, 'Assign Privileges']],
  'role.revoked': ['userAccess', [2, 'Revoke Privileges']],
  'organization.member_added': ['userAccess', [1, 'Assign Privileges']],
  'organization.member_removed': ['userAccess', [2, 'Revoke Privileges']],
  'security.break_glass_requested': ['userAccess', other('Break-glass access requested')],
  'security.break_glass_ended': ['userAccess', other('Break-glass access ended')],
  'group.created': ['groupManagement', [6, 'Create']],
  'group.updated': ['groupManagement', other('Update')],
  'group.deleted': ['groupManagement', [5, 'Delete']],
  'group.member_added': ['groupManagement', [3, 'Add User']],
  'group.member_removed': ['groupManagement', [4, 'Remove User']],
  'group.role_assigned': ['groupManagement', [1, 'Assign Privileges']],
  'group.role_revoked': ['groupManagement', [2, 'Revoke Privileges']],
  'organization.moved': ['entityManagement', [5, 'Move']],
  'security.suspicious_activity': ['detectionFinding', [1, 'Create']],
};

const EFFECT_ACTIVITIES: Readonly<Record<Exclude<EventEffect, 'other'>, Activity>> = {
  creation: [1, 'Create'],
  read: [2, 'Read'],
  change: [3, 'Update'],
  deletion: [4, 'Delete'],
};

/** Returns the class and the activity of an event. */
export function ocsfActivityOf({ type, effect }: EventDetails): readonly [Class, Activity] {
  return MAPPED[type] ?? ['entityManagement', effect === 'other' ? other(type) : EFFECT_ACTIVITIES[effect]];
}
