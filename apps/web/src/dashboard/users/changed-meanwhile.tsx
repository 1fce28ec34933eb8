import { Alert, Button, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { texts } from '../../texts';
import { profileDifferences, profileValuesOf, type ProfileValues } from './profile-values';
import type { User } from './user-queries';

const words = texts.users.user.changedMeanwhile;

interface Props {
  readonly before: User;
  readonly now: User;
  readonly mine: ProfileValues;
  readonly isSaving: boolean;
  readonly onKeepMine: () => void;
  readonly onDiscardMine: () => void;
}

/** Shows what somebody else changed while the profile was being edited, and asks whose version counts. */
export function ChangedMeanwhile({ before, now, mine, isSaving, onKeepMine, onDiscardMine }: Props) {
  const differences = profileDifferences(before, now);
  const begun = profileValuesOf(before);
  return (
    <Alert color="yellow" icon={<IconUsers aria-hidden />} title={words.title} role="alert">
      <Stack gap="sm">
        <Text size="sm">
          {words.text} {differences.length === 0 && words.nothing}
        </Text>
        {differences.length > 0 && (
          <ScrollArea type="auto" viewportProps={{ tabIndex: 0, 'aria-label': words.title, role: 'region' }}>
            <Table aria-label={words.title}>
              <Table.Thead>
                <Table.Tr>
                  {[words.field, words.before, words.now, words.yours].map((title) => (
                    <Table.Th key={title}>{title}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {differences.map(({ field, before: was, now: is }) => (
                  <Table.Tr key={field}>
                    <Table.Th scope="row">{texts.users.fields[field]}</Table.Th>
                    {[was, is, mine[field] === begun[field] ? '–' : mine[field]].map((value, index) => (
                      <Table.Td key={index} className="breakable" style={{ whiteSpace: 'pre-wrap' }}>
                        {value === '' ? texts.common.none : value}
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
            {words.discardMine}
          </Button>
          <Button onClick={onKeepMine} loading={isSaving}>
            {words.keepMine}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
