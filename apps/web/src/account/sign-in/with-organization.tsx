import { Anchor, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { EntryPage } from './entry-page';
import { OrganizationStep } from './organization-step';
import { knownSignInOptions, loadSignInOptions, type SignInOptions } from './sign-in-options';
import { useLoaded } from './use-loaded';

interface Props {
  /** As the address names it. */
  readonly organization: string | undefined;
  /** What the page is called before it is known whose it is. */
  readonly title: string;
  /** Above the question for the organization. */
  readonly notice?: ReactNode;
  readonly onChosen: (slug: string) => void;
  readonly children: (options: SignInOptions) => ReactNode;
}

/** Shows a page of an organization; asks which one as long as that is not known. */
export function WithOrganization({ organization, title, notice, onChosen, children }: Props) {
  const options = useLoaded(organization, loadSignInOptions, knownSignInOptions);
  if (options.data) return children(options.data);
  const isUnknown = options.error instanceof ApiProblem && [400, 404].includes(options.error.status);
  if (options.error && !isUnknown)
    return (
      <EntryPage title={title}>
        <ErrorNotice error={options.error} onRetry={options.reload} />
      </EntryPage>
    );
  if (organization !== undefined && !isUnknown)
    return (
      <EntryPage title={title}>
        <Stack aria-busy aria-label={t('common.loading')} role="status">
          <Skeleton h={60} />
          <Skeleton h={60} />
          <Skeleton h={42} />
        </Stack>
      </EntryPage>
    );
  return (
    <EntryPage title={title} description={t('signIn.organizationStep.description')}>
      {notice}
      <OrganizationStep given={organization} isUnknown={isUnknown} onChosen={onChosen} />
    </EntryPage>
  );
}

/** For those who came to the wrong organization. */
export function OtherOrganization({ onClick }: { onClick: () => void }) {
  return (
    <Anchor component="button" type="button" size="sm" onClick={onClick}>
      {t('signIn.organizationStep.other')}
    </Anchor>
  );
}
