import { Alert, Affix } from '@mantine/core';
import { ClockIcon, UnlinkIcon } from '@primer/octicons-react';
import { useTrouble } from '../app/connection';
import { t } from '../texts';

/** Says that the page waits for the service and continues by itself. */
export function ConnectionNotice() {
  const trouble = useTrouble();
  const Icon = trouble === 'busy' ? ClockIcon : UnlinkIcon;
  return (
    <Affix position={{ bottom: 16, left: 16, right: 16 }} role="status" style={{ pointerEvents: 'none' }}>
      {trouble && (
        <Alert
          color="yellow"
          variant="filled"
          autoContrast
          icon={<Icon size={20} />}
          title={t(`errors.waiting.${trouble}`)}
          maw={420}
        >
          {t(`errors.waiting.${trouble}Text`)}
        </Alert>
      )}
    </Affix>
  );
}
