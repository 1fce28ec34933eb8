import { Alert, Button, Code, List, Stack, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { ApiProblem } from '../api/problem';
import { t } from '../texts';

interface Props {
  readonly error: unknown;
  readonly title?: string;
  readonly advice?: string;
  readonly onRetry?: () => void;
}

/** Shows an error with the invalid fields, its code and the request id. */
export function ErrorNotice({ error, title = t('errors.heading'), advice, onRetry }: Props) {
  const problem = error instanceof ApiProblem ? error : undefined;
  const text = advice ?? messageOf(error);
  const details = problem?.fields.filter(({ message }) => message !== text) ?? [];
  return (
    <Alert color="red" icon={<AlertIcon size={20} />} title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        {details.length > 0 && (
          <List size="sm">
            {details.map(({ pointer, message }) => (
              <List.Item key={`${pointer}${message}`}>{message}</List.Item>
            ))}
          </List>
        )}
        {problem?.requestId && (
          <Text size="xs" c="dimmed">
            <Code>{problem.code}</Code> · {t('common.requestId', { id: problem.requestId })}
          </Text>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('common.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function messageOf(error: unknown): string {
  // The user closed the reauthentication dialog. The message of the API is for programs.
  if (error instanceof ApiProblem && error.code === 'reauthentication_required') return t('errors.reauthenticationNeeded');
  return error instanceof Error ? error.message : String(error);
}
