import { Text } from '@mantine/core';
import { apiWithoutDialogs, unwrap } from '../../api/client';
import { queryClient } from '../../app/query-client';
import { type Session, sessionQuery } from '../../app/session';
import { t } from '../../texts';
import { listenForSignIns } from './signed-in-channel';
import { SignInTab } from './sign-in-tab';
import { dialogs } from '../../ui/dialogs';

let pending: Promise<boolean> | undefined;

/**
 * Asks the user to sign in again after the session has ended. Concurrent requests share one dialog. Resolves to false when the user closes
 * the dialog. Reloads the page if another user has signed in, or if the own session continues after the end of an impersonation.
 */
export function signInAgain(): Promise<boolean> {
  pending ??= recover().finally(() => {
    pending = undefined;
  });
  return pending;
}

async function recover(): Promise<boolean> {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  return (await hasContinued(session)) || openDialog(session);
}

/** Returns whether the browser has a session of the user of the page. */
async function hasContinued(session: Session | undefined): Promise<boolean> {
  const current = await currentUserId().catch(() => undefined);
  if (current === undefined) return false;
  if (current === (session?.user?.id ?? null)) return true;
  window.location.reload();
  // The page is about to be replaced.
  return new Promise(() => undefined);
}

/** Returns the id of the signed-in user, or null for an operator. @throws ApiProblem 401 without a session */
async function currentUserId(): Promise<string | null> {
  const { data } = await unwrap(apiWithoutDialogs.GET('/v1/auth/session'));
  return data.kind === 'operator' ? null : (await unwrap(apiWithoutDialogs.GET('/v1/auth/me'))).data.id;
}

function openDialog(session: Session | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const check = () => hasContinued(session);
    const stopListening =
      session?.kind === 'operator' ? listenForSignIns(() => void check().then((isDone) => isDone && finish())) : () => undefined;
    const dialogId = dialogs.open({
      title: t('errors.sessionEnded'),
      closeOnClickOutside: false,
      onClose: () => {
        stopListening();
        resolve(false);
      },
      children:
        session?.kind === 'operator' ? (
          <Text size="sm">{t('shell.operatorOver')}</Text>
        ) : (
          <SignInTab check={check} onSignedIn={() => finish()} />
        ),
    });
    const finish = () => {
      resolve(true);
      dialogs.close(dialogId);
    };
  });
}
