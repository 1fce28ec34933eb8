import { Anchor, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { EntryPage } from './entry-page';
import { OrganizationStep } from './organization-step';
import { type SignInOptions, signInOptionsQuery } from './sign-in-options';

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
  const query = useQuery({ ...signInOptionsQuery(organization ?? ''), enabled: organization !== undefined });
  if (query.data) return children(query.data);
  const isUnknown = query.error instanceof ApiProblem && [400, 404].includes(query.error.status);
  if (query.error && !isUnknown)
    return (
      <EntryPage title={title}>
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
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
      <OrganizationStep given={organization} isUnknown={isUnknown} isRunning={query.isFetching} onChosen={onChosen} />
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
