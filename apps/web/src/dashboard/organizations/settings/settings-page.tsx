import { Skeleton, Stack, Tabs } from '@mantine/core';
import { PaintbrushIcon, SlidersIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { t } from '../../../texts';
import { PageHeader } from '../../../ui/page-header';
import { AsOfBanner } from '../../as-of/as-of-banner';
import { AsOfButton } from '../../as-of/as-of-button';
import { AsOfError } from '../../as-of/as-of-error';
import { useAsOf } from '../../as-of/use-as-of';
import { useOrganizationId } from '../../organization';
import { BrandingForm } from '../branding/branding-form';
import { SettingsDifferences } from './settings-differences';
import { settingsQuery } from './settings-query';
import { SettingsRules } from './settings-rules';

const ROUTE = '/dashboard/organizations/$org/settings';

export function SettingsPage() {
  const org = useOrganizationId();
  const { tab = 'rules' } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const { asOf, isComparing } = useAsOf();
  const query = useQuery(settingsQuery(org, asOf));
  const isRoot = query.data?.organization.parentId === null;
  const key = `${query.data?.etag} ${asOf}`;
  return (
    <>
      <AsOfBanner />
      <PageHeader
        title={t('settings.title')}
        description={t(isRoot ? 'settings.descriptionOfRoot' : 'settings.description')}
        actions={<AsOfButton />}
      />
      {asOf !== undefined && isComparing && query.data && <SettingsDifferences org={org} asOf={asOf} past={query.data} />}
      <Tabs
        value={tab}
        onChange={(value) =>
          void navigate({ search: (before) => ({ ...before, tab: value === 'branding' ? value : undefined }) })
        }
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
        {query.error && <AsOfError error={query.error} onRetry={() => void query.refetch()} />}
        {query.isPending && !query.error && (
          <Stack aria-busy>
            <Skeleton h={180} />
            <Skeleton h={280} />
          </Stack>
        )}
        <Tabs.Panel value="rules">{query.data && <SettingsRules key={key} loaded={query.data} />}</Tabs.Panel>
        <Tabs.Panel value="branding">{query.data && <BrandingForm key={key} versioned={query.data} />}</Tabs.Panel>
      </Tabs>
    </>
  );
}
