import { Badge, Box, Button, Group, List, Paper, Stack, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useState } from 'react';
import type { Schema } from '../../../api/client';
import { t } from '../../../texts';
import type { SettingPath, SettingValue } from './setting-definitions';
import { settingText } from './setting-text';

const INITIALLY_SHOWN = 10;

interface Props {
  readonly organizations: readonly Schema<'PreviewedOrganizationResponse'>[];
  /** The organization whose settings are changed. */
  readonly organizationId: string;
  readonly roleNames: ReadonlyMap<string, string>;
}

/** Shows the previous and the new values of each affected organization, and the number of users who do not comply. */
export function PreviewedOrganizations({ organizations, organizationId, roleNames }: Props) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? organizations : organizations.slice(0, INITIALLY_SHOWN);
  return (
    <Stack gap="xs">
      {shown.map(({ id, name, changes, usersOutOfLine }) => (
        <Paper key={id} withBorder p="sm">
          <Group gap="xs" mb={4}>
            <Text fw={600} className="breakable">
              {name}
            </Text>
            {id === organizationId && (
              <Badge variant="light" tt="none" autoContrast>
                {t('settings.preview.thisOne')}
              </Badge>
            )}
          </Group>
          <List size="sm">
            {Object.entries(changes).map(([path, { from, to }]) => {
              const text = (value: unknown) => settingText(path as SettingPath, value as SettingValue, roleNames);
              const label = t(`settings.fields.${path as SettingPath}.label`);
              return (
                <List.Item key={path} className="breakable">
                  {t('settings.preview.value', { label, from: text(from), to: text(to) })}
                </List.Item>
              );
            })}
          </List>
          <NonCompliantUsers counts={usersOutOfLine} />
        </Paper>
      ))}
      {shown.length < organizations.length && (
        <Button variant="subtle" onClick={() => setShowsAll(true)}>
          {t('settings.preview.showAll', { count: organizations.length })}
        </Button>
      )}
    </Stack>
  );
}

function NonCompliantUsers({ counts }: { counts: Schema<'UsersOutOfLineResponse'> }) {
  const sentences = (['withoutMfa', 'domainNotAllowed', 'passwordOlderThanPolicy', 'withoutIdentity'] as const)
    .filter((rule) => counts[rule] > 0)
    .map((rule) => t(`settings.preview.${rule}`, { count: counts[rule] }));
  return sentences.map((sentence) => (
    <Group key={sentence} gap={6} wrap="nowrap" align="flex-start" mt={6}>
      <Box flex="none" mt={2}>
        <AlertIcon size={16} />
      </Box>
      <Text size="sm">{sentence}.</Text>
    </Group>
  ));
}
