import { Alert, Button, Stack, Text } from '@mantine/core';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/problem';
import { t } from '../texts';

/** Returns whether another user has saved changes since the form was opened. */
export const isOutdated = (error: unknown): boolean => error instanceof ApiProblem && error.status === 412;

/** Says that another user has saved changes, and loads them. Shows nothing for other errors. */
export function OutdatedNotice({ error, queryKey }: { error: unknown; queryKey: QueryKey }) {
  const client = useQueryClient();
  if (!isOutdated(error)) return null;
  return (
    <Alert color="yellow" role="alert">
      <Stack align="flex-start" gap="xs">
        <Text size="sm">{t('common.outdated')}</Text>
        <Button size="xs" variant="default" onClick={() => void client.invalidateQueries({ queryKey })}>
          {t('common.loadCurrent')}
        </Button>
      </Stack>
    </Alert>
  );
}
