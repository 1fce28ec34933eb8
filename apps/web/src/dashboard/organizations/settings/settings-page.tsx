import { Skeleton, Stack, Tabs } from '@mantine/core';
import { PaintbrushIcon, SlidersIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { PageHeader } from '../../../ui/page-header';
import { useOrganizationId } from '../../organization';
import { BrandingForm } from '../branding/branding-form';
import { settingsQuery } from './settings-query';
import { SettingsRules } from './settings-rules';

const ROUTE = '/dashboard/organizations/$org/settings';

export function SettingsPage() {
  const org = useOrganizationId();
  const { tab = 'rules' } = useSearch({ from: ROUTE });
  const navigate = useNavigate();
  const query = useQuery(settingsQuery(org));
  return (
    <>
      <PageHeader title={t('settings.title')} description={t('settings.description')} />
      <Tabs
        value={tab}
        onChange={(value) => void navigate({ to: ROUTE, params: { org }, search: value === 'branding' ? { tab: value } : {} })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="rules" leftSection={<SlidersIcon size={16} />}>
            {t('settings.tabs.rules')}
          </Tabs.Tab>
          <Tabs.Tab value="branding" leftSection={<PaintbrushIcon size={16} />}>
            {t('settings.tabs.branding')}
          </Tabs.Tab>
        </Tabs.List>
        {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
        {query.isPending && !query.error && (
          <Stack aria-busy>
            <Skeleton h={180} />
            <Skeleton h={280} />
          </Stack>
        )}
        <Tabs.Panel value="rules">{query.data && <SettingsRules key={query.data.etag} loaded={query.data} />}</Tabs.Panel>
        <Tabs.Panel value="branding">{query.data && <BrandingForm key={query.data.etag} versioned={query.data} />}</Tabs.Panel>
      </Tabs>
    </>
  );
}
