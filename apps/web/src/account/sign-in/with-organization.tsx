import { Anchor, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiProblem } from '../../api/problem';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { SignInLayout } from './sign-in-layout';
import { OrganizationStep } from './organization-step';
import { cachedSignInOptions, loadSignInOptions, type SignInOptions } from './sign-in-options';
import { useLoaded } from './use-loaded';

interface Props {
  /** The slug or id in the URL. */
  readonly organization: string | undefined;
  /** The title until the organization is loaded. */
  readonly title: string;
  /** Shown above the form that asks for the organization. */
  readonly notice?: ReactNode;
  readonly onChosen: (slug: string, email?: string) => void;
  readonly children: (options: SignInOptions) => ReactNode;
}

/** Renders a page for an organization. Asks for a missing or unknown organization. */
export function WithOrganization({ organization, title, notice, onChosen, children }: Props) {
  const options = useLoaded(organization, loadSignInOptions, cachedSignInOptions);
  if (options.data) return children(options.data);
  const isUnknown = options.error instanceof ApiProblem && [400, 404].includes(options.error.status);
  if (options.error && !isUnknown)
    return (
      <SignInLayout title={title}>
        <ErrorNotice error={options.error} onRetry={options.reload} />
      </SignInLayout>
    );
  if (organization !== undefined && !isUnknown)
    return (
      <SignInLayout title={title}>
        <Stack aria-busy aria-label={t('common.loading')} role="status">
          <Skeleton h={60} />
          <Skeleton h={60} />
          <Skeleton h={42} />
        </Stack>
      </SignInLayout>
    );
  return (
    <SignInLayout title={title}>
      {notice}
      <OrganizationStep initialSlug={organization} isUnknown={isUnknown} onChosen={onChosen} />
    </SignInLayout>
  );
}

export function OtherOrganization({ onClick }: { onClick: () => void }) {
  return (
    <Anchor component="button" type="button" size="sm" onClick={onClick}>
      {t('signIn.organizationStep.other')}
    </Anchor>
  );
}
