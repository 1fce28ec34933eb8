import { Alert, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { HistoryIcon } from '@primer/octicons-react';
import { t } from '../../texts';
import { openAsOfDialog } from './as-of-dialog';
import { formatAsOf } from './format-moment';
import { useAsOf } from './use-as-of';

/** Shows that the page is as of a past moment. Changes the moment, compares it with the present, or returns to the present. */
export function AsOfBanner() {
  const { asOf, isComparing, show } = useAsOf();
  if (asOf === undefined) return null;
  const compare = isComparing ? true : undefined;
  return (
    <Alert color="indigo" icon={<HistoryIcon size={20} />} mb="lg" py="xs" role="region" aria-label={t('asOf.region')}>
      <Group justify="space-between" gap="sm">
        <Stack gap={2}>
          <Text size="sm" fw={600} role="status">
            {formatAsOf(asOf)}
          </Text>
          <Text size="sm">{t('asOf.readOnly')}</Text>
        </Stack>
        <Group gap="sm">
          <Switch
            label={t('asOf.compare')}
            checked={isComparing}
            // Without a border, the switch has too little contrast with the banner.
            styles={{ track: { boxShadow: '0 0 0 1px var(--mantine-color-dimmed)' } }}
            onChange={({ currentTarget }) => show({ asOf, compare: currentTarget.checked ? true : undefined })}
          />
          <Button
            size="xs"
            variant="default"
            onClick={() => openAsOfDialog({ initial: asOf, onSelect: (moment) => show({ asOf: moment, compare }) })}
          >
            {t('asOf.change')}
          </Button>
          <Button size="xs" onClick={() => show({})}>
            {t('asOf.showNow')}
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
