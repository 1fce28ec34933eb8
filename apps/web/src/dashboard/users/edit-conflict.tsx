import { Alert, Button, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { PersonIcon } from '@primer/octicons-react';
import { t } from '../../texts';
import { profileDifferences, profileValuesOf, type ProfileValues } from './profile-values';
import type { User } from './user-queries';

interface Props {
  readonly before: User;
  readonly current: User;
  readonly mine: ProfileValues;
  readonly isSaving: boolean;
  readonly onKeepMine: () => void;
  readonly onDiscardMine: () => void;
}

/** Shows the changes of another user since the form was opened, and asks which version to keep. */
export function EditConflict({ before, current, mine, isSaving, onKeepMine, onDiscardMine }: Props) {
  const differences = profileDifferences(before, current);
  const initial = profileValuesOf(before);
  return (
    <Alert color="yellow" icon={<PersonIcon size={20} />} title={t('users.user.editConflict.title')} role="alert">
      <Stack gap="sm">
        <Text size="sm">
          {t('users.user.editConflict.text')} {differences.length === 0 && t('users.user.editConflict.nothing')}
        </Text>
        {differences.length > 0 && (
          <ScrollArea
            type="auto"
            viewportProps={{ tabIndex: 0, 'aria-label': t('users.user.editConflict.title'), role: 'region' }}
          >
            <Table aria-label={t('users.user.editConflict.title')}>
              <Table.Thead>
                <Table.Tr>
                  {[
                    t('users.user.editConflict.field'),
                    t('users.user.editConflict.before'),
                    t('users.user.editConflict.now'),
                    t('users.user.editConflict.yours'),
                  ].map((title) => (
                    <Table.Th key={title}>{title}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {differences.map(({ field, before: previousValue, current: currentValue }) => (
                  <Table.Tr key={field}>
                    <Table.Th scope="row">{t(`users.fields.${field}`)}</Table.Th>
                    {[previousValue, currentValue, mine[field] === initial[field] ? '–' : mine[field]].map((value, index) => (
                      <Table.Td key={index} className="breakable" style={{ whiteSpace: 'pre-wrap' }}>
                        {value === '' ? t('common.none') : value}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollArea>
        )}
        <Group gap="sm">
          <Button variant="default" onClick={onDiscardMine} disabled={isSaving}>
            {t('users.user.editConflict.discardMine')}
          </Button>
          <Button onClick={onKeepMine} loading={isSaving}>
            {t('users.user.editConflict.keepMine')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
