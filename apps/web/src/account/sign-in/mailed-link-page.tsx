import { Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api, type Schema } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { EntryPage } from './entry-page';
import { linkToken } from './link-token';
import { LinkUsed } from './link-used';
import { usePagePath } from './open-page';
import { PageLink } from './page-link';
import { type MailedLink, SetPassword } from './set-password';
import { useLoaded } from './use-loaded';
import { VerifyEmail } from './verify-email';

/** The outcome of an emailed link. */
interface Done {
  readonly title: string;
  readonly text: string;
}

/** The pages of emailed links. Opening a link does not use it up, since mail scanners open links, too. */
export function MailedLinkPage() {
  const [done, setDone] = useState<Done>();
  const [deadBy, setDeadBy] = useState<ApiProblem>();
  const link = useLoaded(linkToken || undefined, lookAt);
  if (linkToken === '') return <DeadLink advice={t('signIn.links.noToken')} />;
  if (deadBy) return <DeadLink advice={deadBy.message} link={link.data} />;
  if (link.error instanceof ApiProblem && link.error.status === 400) return <DeadLink advice={link.error.message} />;
  if (link.error)
    return (
      <EntryPage title={t('errors.heading')}>
        <ErrorNotice error={link.error} onRetry={link.reload} />
      </EntryPage>
    );
  if (!link.data) return <Looking />;
  if (done) return <LinkUsed link={link.data} {...done} />;
  return <Purpose link={link.data} onDone={setDone} onDead={setDeadBy} />;
}

interface PurposeProps {
  readonly link: MailedLink;
  readonly onDone: (done: Done) => void;
  readonly onDead: (problem: ApiProblem) => void;
}

function Purpose({ link, onDone, onDead }: PurposeProps) {
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
          send={accept}
          onDone={() =>
            onDone({ title: t('signIn.invitation.doneTitle'), text: t('signIn.invitation.done', { organization: name }) })
          }
          onDead={onDead}
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
          send={resetPassword}
          onDone={() => onDone({ title: t('signIn.reset.doneTitle'), text: t('signIn.reset.done', { organization: name }) })}
          onDead={onDead}
        />
      );
    case 'email_change_cancel':
      return (
        <VerifyEmail
          link={link}
          send={cancelEmailChange}
          onDone={(email) => onDone({ title: t('signIn.verify.canceledTitle'), text: t('signIn.verify.canceled', { email }) })}
          onDead={onDead}
        />
      );
    default:
      return (
        <VerifyEmail
          link={link}
          send={verifyEmail}
          onDone={(email) =>
            onDone({ title: t('signIn.verify.doneTitle'), text: t('signIn.verify.done', { email, organization: name }) })
          }
          onDead={onDead}
        />
      );
  }
}

async function accept(password: string): Promise<void> {
  await answerOf(api.POST('/v1/auth/accept-invitation', { body: { token: linkToken, password } }));
}

async function resetPassword(password: string): Promise<void> {
  await answerOf(api.POST('/v1/auth/reset-password', { body: { token: linkToken, password } }));
}

async function verifyEmail(): Promise<string> {
  return (await answerOf(api.POST('/v1/auth/verify-email', { body: { token: linkToken } }))).data.email;
}

async function cancelEmailChange(): Promise<string> {
  return (await answerOf(api.POST('/v1/auth/cancel-email-change', { body: { token: linkToken } }))).data.email;
}

const lookAt = async (token: string): Promise<MailedLink> =>
  (await answerOf(api.POST('/v1/auth/links/look', { body: { token } }))).data;

function Looking() {
  return (
    <EntryPage title={t('signIn.links.looking')}>
      <Stack aria-busy>
        <Skeleton h={42} />
        <Skeleton h={42} />
      </Stack>
    </EntryPage>
  );
}

interface DeadProps {
  readonly advice: string;
  readonly link?: Schema<'MailedLinkResponse'> | undefined;
}

/** Explains an invalid, used or expired link. */
function DeadLink({ advice, link }: DeadProps) {
  const path = usePagePath();
  const search = { organization: link?.organization.slug };
  return (
    <EntryPage title={t('signIn.links.deadTitle')} place={link?.organization}>
      <Text role="alert">{advice}</Text>
      <Stack gap="xs" align="flex-start">
        {path === '/reset-password' && (
          <PageLink to="/account/forgot-password" search={search} size="sm">
            {t('signIn.links.askAgain')}
          </PageLink>
        )}
        <PageLink to="/account/sign-in" search={search} size="sm">
          {t('signIn.goToSignIn')}
        </PageLink>
      </Stack>
    </EntryPage>
  );
}
