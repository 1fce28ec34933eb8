import { Button, Menu } from '@mantine/core';
import { ChevronDownIcon } from '@primer/octicons-react';
import { downloadRecentlyAuthenticated } from '../../account/reauthentication/download-recently-authenticated';
import { t } from '../../texts';
import { filterOf, type UsersSearch } from './users-search';

/** Exports the filtered users. */
export function ExportMenu({ org, search }: { org: string; search: UsersSearch }) {
  const address = (format: 'ndjson' | 'csv') => {
    const query = new URLSearchParams({ format });
    for (const [name, value] of Object.entries(filterOf(search))) if (value !== undefined) query.set(name, String(value));
    return `/v1/organizations/${encodeURIComponent(org)}/users/export?${query}`;
  };
  const start = (format: 'ndjson' | 'csv') => void downloadRecentlyAuthenticated(address(format));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon size={16} />}>
          {t('users.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{search.descendants ? t('users.exportOnlyHere') : t('users.exportFiltered')}</Menu.Label>
        <Menu.Item onClick={() => start('csv')}>{t('users.exportCsv')}</Menu.Item>
        <Menu.Item onClick={() => start('ndjson')}>{t('users.exportNdjson')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
