import { Pagination, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { AddDomainForm } from './add-domain-form';
import { DomainCard } from './domain-card';
import { type DomainScope, domainsQuery } from './domain-queries';

interface Props extends DomainScope {
  readonly canWrite: boolean;
  /** The level of the headings of the domains. */
  readonly headingOrder: 2 | 3;
}

/** Lists the domains of an organization, newest first, with a form to add one. */
export function DomainList({ canWrite, headingOrder, ...scope }: Props) {
  const [page, setPage] = useState(1);
  const query = useQuery({ ...domainsQuery(scope, page), placeholderData: keepPreviousData });
  const { data: domains, pagination } = query.data ?? {};
  return (
    <Stack gap="lg" maw={760}>
      {canWrite && <AddDomainForm {...scope} />}
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton h={160} />}
      {domains?.length === 0 && <Text size="sm">{t('domains.empty')}</Text>}
      {domains?.map((domain) => (
        <DomainCard key={domain.id} {...scope} domain={domain} canWrite={canWrite} headingOrder={headingOrder} />
      ))}
      {pagination && pagination.total > pagination.limit && (
        <Pagination total={Math.ceil(pagination.total / pagination.limit)} value={page} onChange={setPage} />
      )}
    </Stack>
  );
}
