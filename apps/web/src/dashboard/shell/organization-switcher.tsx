import { Button, Combobox, Loader, Text, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { ChevronDownIcon } from '@primer/octicons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { t } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import { organizationQuery } from '../organization';
import { NAVIGATION_ITEMS } from './navigation-items';

const SHOWN_MAX = 20;
const DEBOUNCE_MS = 250;

/** Switches to the same page of another organization. */
export function OrganizationSwitcher({ org, onNavigate }: { org: string; onNavigate: () => void }) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, DEBOUNCE_MS);
  const navigate = useNavigate();
  const { data: current } = useQuery(organizationQuery(org));
  const shownName = current?.name ?? t('common.loading');
  const matches = useFoundOrganizations(search, combobox.dropdownOpened);
  const go = (id: string) => {
    combobox.closeDropdown();
    onNavigate();
    void navigate({ to: `/dashboard/organizations/${id}${currentListPath(window.location.pathname)}` });
  };
  return (
    <Combobox store={combobox} onOptionSubmit={go} width={320} position="bottom-start" zIndex={400}>
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <Button
          variant="default"
          maw={260}
          onClick={() => combobox.toggleDropdown()}
          rightSection={<ChevronDownIcon size={16} />}
          aria-label={`${t('shell.switchOrganization')}: ${shownName}`}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
        >
          <Text truncate size="sm" fw={500}>
            {shownName}
          </Text>
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            combobox.resetSelectedOption();
          }}
          placeholder={t('shell.searchOrganization')}
          aria-label={t('shell.searchOrganization')}
          rightSection={matches.isFetching ? <Loader size={14} /> : null}
        />
        <FoundOrganizations matches={matches} currentId={current?.id} />
      </Combobox.Dropdown>
    </Combobox>
  );
}

function useFoundOrganizations(search: string, isEnabled: boolean) {
  return useQuery({
    queryKey: ['organizations', 'switcher', search],
    queryFn: () => unwrap(api.GET('/v1/organizations', { params: { query: { search, limit: SHOWN_MAX } } })),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
}

interface FoundProps {
  readonly matches: ReturnType<typeof useFoundOrganizations>;
  readonly currentId: string | undefined;
}

function FoundOrganizations({ matches: { data, error }, currentId }: FoundProps) {
  return (
    <>
      {error && <ErrorNotice error={error} />}
      <Combobox.Options mah={320} className="scrollable" aria-label={t('shell.switchOrganization')}>
        {data?.data.map(({ id, name, slug }) => (
          <Combobox.Option key={id} value={id} active={id === currentId}>
            <Text size="sm" className="breakable">
              {name}
            </Text>
            <Text size="xs" c="dimmed" className="breakable">
              {slug}
            </Text>
          </Combobox.Option>
        ))}
        {data?.data.length === 0 && <Combobox.Empty>{t('shell.noOrganizationFound')}</Combobox.Empty>}
      </Combobox.Options>
      {data && data.pagination.total > SHOWN_MAX && (
        <Combobox.Footer>
          <Text size="xs" c="dimmed">
            {t('shell.moreOrganizations', { count: data.pagination.total - SHOWN_MAX })}
          </Text>
        </Combobox.Footer>
      )}
    </>
  );
}

/** Returns the path of a list, also for the page of a single user or webhook, which another organization does not have. */
const currentListPath = (pathname: string): string =>
  NAVIGATION_ITEMS.find(({ path }) => path !== '' && new RegExp(`^/dashboard/organizations/[^/]+${path}(/|$)`).test(pathname))
    ?.path ?? '';
