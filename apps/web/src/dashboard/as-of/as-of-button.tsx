import { Button } from '@mantine/core';
import { HistoryIcon } from '@primer/octicons-react';
import { t } from '../../texts';
import { openAsOfDialog } from './as-of-dialog';
import { useAsOf } from './use-as-of';

/** Opens the dialog that selects a past moment. Hidden while the page shows a past moment, because the banner has the same action. */
export function AsOfButton() {
  const { asOf, show } = useAsOf();
  if (asOf !== undefined) return null;
  const open = () => openAsOfDialog({ initial: new Date().toISOString(), onSelect: (moment) => show({ asOf: moment }) });
  return (
    <Button variant="default" leftSection={<HistoryIcon size={16} />} onClick={open}>
      {t('asOf.open')}
    </Button>
  );
}
