import { List, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../texts';
import { CopyField } from '../../../ui/copy-field';

/** The known directories, with the number of instructions and what they append to the base URL. */
const DIRECTORIES = {
  okta: { name: 'Okta', instructions: 5, suffix: '' },
  entra: { name: 'Microsoft Entra ID', instructions: 4, suffix: '?aadOptscim062020' },
  google: { name: 'Google', instructions: 2, suffix: '' },
  keycloak: { name: 'Keycloak', instructions: 3, suffix: '' },
} as const;
type KnownDirectory = keyof typeof DIRECTORIES;
const KNOWN_DIRECTORIES = Object.keys(DIRECTORIES) as KnownDirectory[];

interface Props {
  readonly baseUrl: string;
  readonly headingOrder: 3 | 4;
}

/** Shows the instructions for a directory with the URL to copy. */
export function DirectoryInstructions({ baseUrl, headingOrder }: Props) {
  const [directory, setDirectory] = useState<KnownDirectory>('okta');
  const { name, instructions, suffix } = DIRECTORIES[directory];
  const numbers = [1, 2, 3, 4, 5].slice(0, instructions) as (1 | 2)[];
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t('scim.directory')}
        data={KNOWN_DIRECTORIES.map((value) => ({ value, label: DIRECTORIES[value].name }))}
        value={directory}
        onChange={setDirectory}
        style={{ alignSelf: 'flex-start', flexWrap: 'wrap' }}
      />
      <Title order={headingOrder}>{t('scim.instructions', { name })}</Title>
      <List type="ordered" size="sm" spacing={4}>
        {numbers.map((number) => (
          <List.Item key={number}>{t(`scim.${directory}.${number}`)}</List.Item>
        ))}
      </List>
      <Stack gap={4}>
        <Text size="sm" fw={600}>
          {t(`scim.${directory}.url`)}
        </Text>
        <CopyField value={baseUrl + suffix} label={t(`scim.${directory}.url`)} />
      </Stack>
    </Stack>
  );
}
