import { Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, type Schema, unwrap } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { SignInLayout } from './sign-in-layout';
import { linkToken } from './link-token';
import { LinkSuccess } from './link-success';
import { usePagePath, usePageSearch } from './open-page';
import { PageLink } from './page-link';
import { type EmailLink, SetPassword } from './set-password';
import { useLoaded } from './use-loaded';
import { VerifyEmail } from './verify-email';

interface Outcome {
  readonly title: string;
  readonly text: string;
}

/** The pages of emailed links. Opening a page does not use up the link, because mail scanners open links. */
export function EmailLinkPage() {
  const [done, setDone] = useState<Outcome>();
  const [linkProblem, setLinkProblem] = useState<ApiProblem>();
  const link = useLoaded(linkToken || undefined, previewLink);
  if (linkToken === '') return <InvalidLink advice={t('signIn.links.noToken')} />;
  if (linkProblem) return <InvalidLink advice={linkProblem.message} link={link.data} />;
  if (link.error instanceof ApiProblem && link.error.code === 'sso_required')
    return <InvalidLink advice={t('signIn.links.ssoRequired')} />;
  if (link.error instanceof ApiProblem && link.error.status === 400) return <InvalidLink advice={link.error.message} />;
  if (link.error)
    return (
      <SignInLayout title={t('errors.heading')}>
        <ErrorNotice error={link.error} onRetry={link.reload} />
      </SignInLayout>
    );
  if (!link.data) return <LinkSkeleton />;
  if (done) return <LinkSuccess link={link.data} {...done} />;
  return <LinkAction link={link.data} onDone={setDone} onInvalidLink={setLinkProblem} />;
}

interface LinkActionProps {
  readonly link: EmailLink;
  readonly onDone: (done: Outcome) => void;
  readonly onInvalidLink: (problem: ApiProblem) => void;
}

function LinkAction({ link, onDone, onInvalidLink }: LinkActionProps) {
  const { name } = link.organization;
  switch (link.purpose) {
    case 'invitation': {
      const description = link.firstName
        ? t('signIn.invitation.greeting', { name: link.firstName })
        : t('signIn.invitation.greetingUnnamed');
      return (
        <SetPassword
          link={link}
          title={t('signIn.invitation.title', { organization: name })}
          description={description}
          submitLabel={t('signIn.invitation.submit')}
          submitPassword={acceptInvitation}
          onDone={() =>
            onDone({ title: t('signIn.invitation.doneTitle'), text: t('signIn.invitation.done', { organization: name }) })
          }
          onInvalidLink={onInvalidLink}
        />
      );
    }
    case 'password_reset':
      return (
        <SetPassword
          link={link}
          title={t('signIn.reset.title')}
          description={t('signIn.reset.description', { organization: name })}
          submitLabel={t('signIn.reset.submit')}
          submitPassword={resetPassword}
          onDone={() => onDone({ title: t('signIn.reset.doneTitle'), text: t('signIn.reset.done', { organization: name }) })}
          onInvalidLink={onInvalidLink}
        />
      );
    case 'email_change_cancel':
      return (
        <VerifyEmail
          link={link}
          submitLink={cancelEmailChange}
          onDone={(email) => onDone({ title: t('signIn.verify.canceledTitle'), text: t('signIn.verify.canceled', { email }) })}
          onInvalidLink={onInvalidLink}
        />
      );
    default:
      return (
        <VerifyEmail
          link={link}
          submitLink={verifyEmail}
          onDone={(email) =>
            onDone({ title: t('signIn.verify.doneTitle'), text: t('signIn.verify.done', { email, organization: name }) })
          }
          onInvalidLink={onInvalidLink}
        />
      );
  }
}

async function acceptInvitation(password: string): Promise<void> {
  await unwrap(api.POST('/v1/auth/accept-invitation', { body: { token: linkToken, password } }));
}

async function resetPassword(password: string): Promise<void> {
  await unwrap(api.POST('/v1/auth/reset-password', { body: { token: linkToken, password } }));
}

async function verifyEmail(): Promise<string> {
  return (await unwrap(api.POST('/v1/auth/verify-email', { body: { token: linkToken } }))).data.email;
}

async function cancelEmailChange(): Promise<string> {
  return (await unwrap(api.POST('/v1/auth/cancel-email-change', { body: { token: linkToken } }))).data.email;
}

const previewLink = async (token: string): Promise<EmailLink> =>
  (await unwrap(api.POST('/v1/auth/links/look', { body: { token } }))).data;

function LinkSkeleton() {
  return (
    <SignInLayout title={t('signIn.links.checking')}>
      <Stack aria-busy>
        <Skeleton h={42} />
        <Skeleton h={42} />
      </Stack>
    </SignInLayout>
  );
}

/** The pages whose links the page for forgotten passwords replaces. */
const PASSWORD_PAGES = new Set(['/reset-password', '/accept-invitation']);

interface InvalidLinkProps {
  readonly advice: string;
  readonly link?: Schema<'MailedLinkResponse'> | undefined;
}

function InvalidLink({ advice, link }: InvalidLinkProps) {
  const path = usePagePath();
  const { organization } = usePageSearch();
  const search = { organization: link?.organization.slug ?? organization };
  return (
    <SignInLayout title={t('signIn.links.invalidTitle')} organization={link?.organization}>
      <Text role="alert">{advice}</Text>
      <Stack gap="xs" align="flex-start">
        {PASSWORD_PAGES.has(path) && (
          <PageLink to="/account/forgot-password" search={search} size="sm">
            {t('signIn.links.requestNew')}
          </PageLink>
        )}
        <PageLink to="/account/sign-in" search={search} size="sm">
          {t('signIn.goToSignIn')}
        </PageLink>
      </Stack>
    </SignInLayout>
  );
}
