import { Alert, Code, Stack, Text } from '@mantine/core';
import { AlertIcon, ClockIcon } from '@primer/octicons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { ApiProblem } from '../../api/problem';
import { findText, t } from '../../texts';

interface Props {
  readonly error: unknown;
  /** The seconds until a retry is allowed. */
  readonly secondsLeft?: number;
  readonly children?: ReactNode;
}

/** Shows a sign-in error. The notice has the focus, so that screen readers announce the error. */
export function SignInNotice({ error, secondsLeft = 0, children }: Props) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), [error]);
  const problem = error instanceof ApiProblem ? error : undefined;
  const isWait = problem?.retryAfterSeconds !== undefined;
  const Icon = isWait ? ClockIcon : AlertIcon;
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      role="alert"
      color={isWait ? 'yellow' : 'red'}
      icon={<Icon size={20} />}
      title={problem?.status === 429 ? t('signIn.problems.tooMany') : t('signIn.problems.heading')}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{problemText(error)}</Text>
        {isWait && (
          <Text size="sm" fw={600} aria-live="off">
            {waitText(secondsLeft)}
          </Text>
        )}
        {children}
        {problem?.requestId && problem.status >= 500 && (
          <Text size="xs">
            <Code>{problem.code}</Code> · {t('common.requestId', { id: problem.requestId })}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

/** Returns the text of an error. The pages have their own texts for some codes. */
export function problemText(error: unknown): string {
  if (!(error instanceof ApiProblem)) return error instanceof Error ? error.message : String(error);
  return findText(`signIn.problems.byCode.${error.code}`) ?? withoutSeconds(error);
}

/** Returns the text of an error without the remaining seconds, because the notice shows a countdown. */
const withoutSeconds = ({ code, message }: ApiProblem): string =>
  code === 'sign_in_locked' ? t('signIn.problems.setNewPassword') : message;

function waitText(seconds: number): string {
  if (seconds <= 0) return t('signIn.problems.waited');
  return seconds < 90
    ? t('signIn.problems.waitSeconds', { count: seconds })
    : t('signIn.problems.waitMinutes', { count: Math.ceil(seconds / 60) });
}
