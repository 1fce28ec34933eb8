import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { texts } from '../../texts';
import { exactTime } from '../../ui/moment';
import { SuspensionFields, type Suspension } from './suspension-fields';
import { nameOf, type User } from './user-queries';

const words = texts.users.lifecycle;
const RESTORABLE_MS = 30 * 86_400_000;

/** Something that can be done about a user, with the question that comes before it. */
export interface LifecycleAction {
  readonly label: string;
  readonly needs: 'write' | 'remove';
  /** Not open to people about themselves. */
  readonly changesSignIn?: boolean;
  readonly isDangerous?: boolean;
  /** Afterwards there is no such user. */
  readonly endsUser?: boolean;
  readonly title: string;
  readonly consequences: ReactNode;
  readonly confirmLabel: string;
  readonly typeToConfirm?: string;
  readonly run: () => Promise<unknown>;
  /** Said afterwards. */
  readonly done: string;
}

/** What the user's status allows, the likeliest first. */
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
      label: words.activate,
      needs: 'write',
      title: words.activateTitle(name),
      consequences: user.status === 'pending' ? words.activatePending : words.activateSuspended,
      confirmLabel: words.activate,
      run: () => answerOf(api.POST('/v1/organizations/{org}/users/{id}/activate', { params })),
      done: words.activated,
    },
    restore: {
      label: words.restore,
      needs: 'remove',
      title: words.restoreTitle(name),
      consequences: words.restoreText,
      confirmLabel: words.restore,
      run: () => answerOf(api.POST('/v1/organizations/{org}/users/{id}/restore', { params })),
      done: words.restored,
    },
    remove: {
      label: words.delete,
      needs: 'remove',
      isDangerous: true,
      title: words.deleteTitle(name),
      consequences: words.deleteText(exactTime(new Date(Date.now() + RESTORABLE_MS).toISOString())),
      confirmLabel: words.delete,
      run: () => answerOf(api.DELETE('/v1/organizations/{org}/users/{id}', { params })),
      done: words.deleted,
    },
    purge: {
      label: words.deleteForGood,
      needs: 'remove',
      isDangerous: true,
      endsUser: true,
      title: words.purgeTitle(name),
      consequences: words.purgeText,
      confirmLabel: words.deleteForGood,
      typeToConfirm: user.email,
      run: () =>
        answerOf(api.DELETE('/v1/organizations/{org}/users/{id}', { params: { ...params, query: { permanent: true } } })),
      done: words.purged,
    },
  } satisfies Record<string, LifecycleAction>;
}

type Params = { path: { org: string; id: string } };

/** What concerns how the user gets in. */
function signInActions({ email }: User, name: string, params: Params) {
  return {
    invite: {
      label: words.invite,
      needs: 'write',
      title: words.inviteTitle(name),
      consequences: words.inviteText(email),
      confirmLabel: words.invite,
      run: () => answerOf(api.POST('/v1/organizations/{org}/users/{id}/invitation', { params })),
      done: words.invited,
    },
    reset: {
      label: words.resetPassword,
      needs: 'write',
      changesSignIn: true,
      title: words.resetTitle(name),
      consequences: words.resetText(email),
      confirmLabel: words.resetPassword,
      run: () => answerOf(api.POST('/v1/organizations/{org}/users/{id}/password-reset', { params })),
      done: words.resetStarted,
    },
    removeFactors: {
      label: words.removeFactors,
      needs: 'write',
      changesSignIn: true,
      isDangerous: true,
      title: words.factorsTitle(name),
      consequences: words.factorsText,
      confirmLabel: words.removeFactors,
      run: () => answerOf(api.DELETE('/v1/organizations/{org}/users/{id}/mfa', { params })),
      done: words.factorsRemoved,
    },
  } satisfies Record<string, LifecycleAction>;
}

function suspendAction(name: string, params: Params): LifecycleAction {
  let suspension: Suspension = { reason: '', revokeActiveSessions: false };
  return {
    label: words.suspend,
    needs: 'write',
    isDangerous: true,
    title: words.suspendTitle(name),
    consequences: (
      <SuspensionFields
        onChange={(next) => {
          suspension = next;
        }}
      />
    ),
    confirmLabel: words.suspend,
    run: () => answerOf(api.POST('/v1/organizations/{org}/users/{id}/suspend', { params, body: suspension })),
    done: words.suspended,
  };
}
