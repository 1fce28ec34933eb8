import { Button, Menu } from '@mantine/core';
import { ChevronDownIcon } from '@primer/octicons-react';
import { ensureRecentAuthentication } from '../../account/reauthentication/ensure-recent-authentication';
import { t } from '../../texts';
import { downloadUrl } from '../../ui/download';
import { notifyError } from '../../ui/notify';
import { filterOf, type UsersSearch } from './users-search';

/** Exports the filtered users. The browser streams the file to disk, so the file can be large. */
export function ExportMenu({ org, search }: { org: string; search: UsersSearch }) {
  const address = (format: 'ndjson' | 'csv') => {
    const query = new URLSearchParams({ format });
    for (const [name, value] of Object.entries(filterOf(search))) if (value !== undefined) query.set(name, value);
    return `/v1/organizations/${encodeURIComponent(org)}/users/export?${query}`;
  };
  const start = async (format: 'ndjson' | 'csv') => {
    try {
      if (await ensureRecentAuthentication()) downloadUrl(address(format));
    } catch (error) {
      notifyError(t('errors.heading'), error);
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon size={16} />}>
          {t('users.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('users.exportFiltered')}</Menu.Label>
        <Menu.Item onClick={() => void start('csv')}>{t('users.exportCsv')}</Menu.Item>
        <Menu.Item onClick={() => void start('ndjson')}>{t('users.exportNdjson')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
