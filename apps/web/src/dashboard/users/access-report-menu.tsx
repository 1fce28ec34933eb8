import { Button, Menu } from '@mantine/core';
import { ChevronDownIcon } from '@primer/octicons-react';
import { downloadRecentlyAuthenticated } from '../../account/reauthentication/download-recently-authenticated';
import { t } from '../../texts';
import { useHasPermissions } from '../permissions';

/** The permissions that the report requires. */
const REPORT_PERMISSIONS = ['users:read', 'members:read', 'roles:read', 'api_keys:read'];

/** Downloads the access report of the organization. */
export function AccessReportMenu({ org }: { org: string }) {
  const canRead = useHasPermissions(REPORT_PERMISSIONS);
  if (!canRead) return null;
  const start = (format: 'ndjson' | 'csv') =>
    void downloadRecentlyAuthenticated(`/v1/organizations/${encodeURIComponent(org)}/access-report?format=${format}`);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon size={16} />}>
          {t('members.accessReport')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('members.accessReportHint')}</Menu.Label>
        <Menu.Item onClick={() => start('csv')}>{t('members.accessReportCsv')}</Menu.Item>
        <Menu.Item onClick={() => start('ndjson')}>{t('members.accessReportNdjson')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
