import { Skeleton } from '@mantine/core';
import { useEffect } from 'react';
import { ApiProblem } from '../../../api/problem';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { isRequestOver } from '../application';
import { openPage, usePageSearch } from '../open-page';
import { RequestOver } from '../request-over';
import { interactionPath } from '../return-to';
import { SignInLayout } from '../sign-in-layout';
import { useLoaded } from '../use-loaded';
import { AskForApproval } from './ask-for-approval';
import { ChooseOrganization } from './choose-organization';
import { Consent } from './consent';
import { loadRequest } from './open-request';

/** Asks the signed-in user what an application wants to know: the organization, and the consent. */
export function AuthorizePage() {
  const { interaction: id } = usePageSearch();
  const { data: request, error, reload } = useLoaded(id, loadRequest);
  const isSignedOut = error instanceof ApiProblem && error.status === 401;
  const asksForSignIn = request !== undefined && ['login', 'create'].includes(request.interaction.prompt);
  useEffect(() => {
    if (isSignedOut && id) void openPage('/account/sign-in', { returnTo: interactionPath(id) }, { replace: true });
    if (asksForSignIn && id) window.location.replace(interactionPath(id));
  }, [isSignedOut, asksForSignIn, id]);
  if (id === undefined || isRequestOver(error)) return <RequestOver />;
  if (error !== undefined && !isSignedOut)
    return (
      <SignInLayout title={t('errors.heading')}>
        <ErrorNotice error={error} onRetry={reload} />
      </SignInLayout>
    );
  if (!request || asksForSignIn)
    return (
      <SignInLayout title={t('common.loading')}>
        <Skeleton h={120} aria-busy />
      </SignInLayout>
    );
  if (request.interaction.prompt === 'approval') return <AskForApproval {...request} />;
  return request.interaction.prompt === 'consent' ? <Consent {...request} /> : <ChooseOrganization {...request} />;
}
