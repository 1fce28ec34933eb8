import { Alert, Button, Code, List, Stack, Text } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { ApiProblem, SESSION_ENDED } from '../api/problem';
import { t, type TextId } from '../texts';

interface Props {
  readonly error: unknown;
  readonly title?: string;
  readonly advice?: string;
  readonly onRetry?: () => void;
}

/** The titles of errors that say what is wrong. A retry has the same result. */
const FINAL_TITLES: ReadonlyMap<number, TextId> = new Map([
  [403, 'errors.forbidden'],
  [404, 'errors.gone'],
]);

/** Shows an error with the messages of the invalid fields, its code and the request id. Shows each message once. */
export function ErrorNotice({ error, title, advice, onRetry }: Props) {
  const problem = error instanceof ApiProblem ? error : undefined;
  const isFinal = problem !== undefined && FINAL_TITLES.has(problem.status);
  const text = advice ?? messageOf(error);
  const messages = problem?.fields.map(({ message }) => message) ?? [];
  // The text of a validation error consists of the messages of its fields.
  const isRepeated = text === messages.join(' ');
  const listed = isRepeated && messages.length === 1 ? [] : messages;
  return (
    <Alert
      color="red"
      icon={<AlertIcon size={20} />}
      title={title ?? t((problem && FINAL_TITLES.get(problem.status)) ?? 'errors.heading')}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        {!(isRepeated && listed.length > 0) && <Text size="sm">{text}</Text>}
        {listed.length > 0 && (
          <List size="sm">
            {[...new Set(listed)].map((message) => (
              <List.Item key={message}>{message}</List.Item>
            ))}
          </List>
        )}
        {problem?.requestId && (
          <Text size="xs" c="dimmed">
            <Code>{problem.code}</Code> · {t('common.requestId', { id: problem.requestId })}
          </Text>
        )}
        {onRetry && !isFinal && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {problem?.code === SESSION_ENDED ? t('errors.signInAgain') : t('common.retry')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Returns the message of an error. For some codes, the message of the API is for programs. */
function messageOf(error: unknown): string {
  const code = error instanceof ApiProblem ? error.code : undefined;
  // The user closed the reauthentication dialog.
  if (code === 'reauthentication_required') return t('errors.reauthenticationNeeded');
  if (code === 'managed_by_scim') return t('errors.managedByScim');
  return error instanceof Error ? error.message : String(error);
}
