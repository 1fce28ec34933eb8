import type { ReactNode } from 'react';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { formatDateTime } from '../../ui/format-date-time';
import { SuspensionFields, type Suspension } from './suspension-fields';
import { nameOf, type User } from './user-queries';

const RESTORABLE_MS = 30 * 86_400_000;

/** An action on a user with its confirmation dialog. */
export interface LifecycleAction {
  readonly label: string;
  readonly needs: 'write' | 'remove';
  /** Whether the action is disabled for the own account. */
  readonly changesSignIn?: boolean;
  readonly isDangerous?: boolean;
  readonly purgesUser?: boolean;
  readonly title: string;
  readonly consequences: ReactNode;
  readonly confirmLabel: string;
  readonly typeToConfirm?: string;
  readonly run: () => Promise<unknown>;
  /** The success message. */
  readonly done: string;
}

/** Returns the actions for the status of the user, the most frequent first. */
export function lifecycleActions(org: string, user: User): LifecycleAction[] {
  const { invite, activate, restore, suspend, reset, removeFactors, remove, purge } = actionsOf(org, user);
  switch (user.status) {
    case 'deleted':
      return [restore, purge];
    case 'pending':
      return [invite, activate, suspend, remove, purge];
    case 'suspended':
      return [activate, ...(user.mfaEnabled ? [removeFactors] : []), remove, purge];
    default:
      return [suspend, reset, ...(user.mfaEnabled ? [removeFactors] : []), remove, purge];
  }
}

function actionsOf(org: string, user: User) {
  const name = nameOf(user);
  const params = { path: { org, id: user.id } };
  return {
    ...signInActions(user, name, params),
    suspend: suspendAction(name, params),
    activate: {
      label: t('users.lifecycle.activate'),
      needs: 'write',
      title: t('users.lifecycle.activateTitle', { name }),
      consequences: user.status === 'pending' ? t('users.lifecycle.activatePending') : t('users.lifecycle.activateSuspended'),
      confirmLabel: t('users.lifecycle.activate'),
      run: () => unwrap(api.POST('/v1/organizations/{org}/users/{id}/activate', { params })),
      done: t('users.lifecycle.activated'),
    },
    restore: {
      label: t('users.lifecycle.restore'),
      needs: 'remove',
      title: t('users.lifecycle.restoreTitle', { name }),
      consequences: t('users.lifecycle.restoreText'),
      confirmLabel: t('users.lifecycle.restore'),
      run: () => unwrap(api.POST('/v1/organizations/{org}/users/{id}/restore', { params })),
      done: t('users.lifecycle.restored'),
    },
    remove: {
      label: t('users.lifecycle.delete'),
      needs: 'remove',
      isDangerous: true,
      title: t('users.lifecycle.deleteTitle', { name }),
      consequences: t('users.lifecycle.deleteText', {
        until: formatDateTime(new Date(Date.now() + RESTORABLE_MS).toISOString()),
      }),
      confirmLabel: t('users.lifecycle.delete'),
      run: () => unwrap(api.DELETE('/v1/organizations/{org}/users/{id}', { params })),
      done: t('users.lifecycle.deleted'),
    },
    purge: {
      label: t('users.lifecycle.deletePermanently'),
      needs: 'remove',
      isDangerous: true,
      purgesUser: true,
      title: t('users.lifecycle.purgeTitle', { name }),
      consequences: t('users.lifecycle.purgeText'),
      confirmLabel: t('users.lifecycle.deletePermanently'),
      typeToConfirm: user.email,
      run: () => unwrap(api.DELETE('/v1/organizations/{org}/users/{id}', { params: { ...params, query: { permanent: true } } })),
      done: t('users.lifecycle.purged'),
    },
  } satisfies Record<string, LifecycleAction>;
}

type Params = { path: { org: string; id: string } };

function signInActions({ email }: User, name: string, params: Params) {
  return {
    invite: {
      label: t('users.lifecycle.invite'),
      needs: 'write',
      title: t('users.lifecycle.inviteTitle', { name }),
      consequences: t('users.lifecycle.inviteText', { email }),
      confirmLabel: t('users.lifecycle.invite'),
      run: () => unwrap(api.POST('/v1/organizations/{org}/users/{id}/invitation', { params })),
      done: t('users.lifecycle.invited'),
    },
    reset: {
      label: t('users.lifecycle.resetPassword'),
      needs: 'write',
      changesSignIn: true,
      title: t('users.lifecycle.resetTitle', { name }),
      consequences: t('users.lifecycle.resetText', { email }),
      confirmLabel: t('users.lifecycle.resetPassword'),
      run: () => unwrap(api.POST('/v1/organizations/{org}/users/{id}/password-reset', { params })),
      done: t('users.lifecycle.resetStarted'),
    },
    removeFactors: {
      label: t('users.lifecycle.removeFactors'),
      needs: 'write',
      changesSignIn: true,
      isDangerous: true,
      title: t('users.lifecycle.factorsTitle', { name }),
      consequences: t('users.lifecycle.factorsText'),
      confirmLabel: t('users.lifecycle.removeFactors'),
      run: () => unwrap(api.DELETE('/v1/organizations/{org}/users/{id}/mfa', { params })),
      done: t('users.lifecycle.factorsRemoved'),
    },
  } satisfies Record<string, LifecycleAction>;
}

function suspendAction(name: string, params: Params): LifecycleAction {
  let suspension: Suspension = { reason: '', revokeActiveSessions: false };
  return {
    label: t('users.lifecycle.suspend'),
    needs: 'write',
    isDangerous: true,
    title: t('users.lifecycle.suspendTitle', { name }),
    consequences: (
      <SuspensionFields
        onChange={(next) => {
          suspension = next;
        }}
      />
    ),
    confirmLabel: t('users.lifecycle.suspend'),
    run: () => unwrap(api.POST('/v1/organizations/{org}/users/{id}/suspend', { params, body: suspension })),
    done: t('users.lifecycle.suspended'),
  };
}
