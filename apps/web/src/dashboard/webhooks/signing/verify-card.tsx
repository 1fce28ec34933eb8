import { Alert, Button, List, Paper, PasswordInput, Stack, Text, Textarea, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { texts } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useChange } from '../../../ui/use-change';
import type { Check, Verdict } from './verdict';
import { verifySignature } from './verify-signature';

const words = texts.webhookSigning;
const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-xs)' } };
const AS_SENT = { autosize: true, minRows: 3, maxRows: 10, spellCheck: false, styles: MONOSPACE, required: true } as const;

interface Props {
  readonly maskedSecret: string;
  /** An attempt to begin with. */
  readonly sent?: {
    readonly attempt: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    /** Whether the body is still as it was signed. */
    readonly isOriginal: boolean;
  };
}

/** Says whether what a receiver got is signed as it should be, and else what is wrong. All of it happens here. */
export function VerifyCard({ maskedSecret, sent }: Props) {
  const [headers, setHeaders] = useState(() =>
    Object.entries(sent?.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  );
  const [body, setBody] = useState(sent?.body ?? '');
  const [secret, setSecret] = useState('');
  const verify = useChange({
    run: () =>
      verifySignature(
        { headers, body, secret, nowSeconds: Date.now() / 1_000 },
        { maskedSecret, ...(sent?.isOriginal ? { sentBody: sent.body } : {}) },
      ),
    outdates: [],
  });
  const edited = (set: (value: string) => void) => (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    set(event.currentTarget.value);
    verify.reset();
  };
  return (
    <Paper withBorder p="lg" component="section" aria-label={words.verifyTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          verify.mutate(undefined);
        }}
      >
        <Stack>
          <div>
            <Title order={2} mb="xs">
              {words.verifyTitle}
            </Title>
            <Text size="sm" c="dimmed">
              {words.verifyExplained}
            </Text>
          </div>
          {!window.isSecureContext && <Alert color="yellow">{words.verifyInsecure}</Alert>}
          {sent && <Alert color="gray">{words.prefilled(sent.attempt)}</Alert>}
          <Textarea
            label={words.verifyHeaders}
            description={words.verifyHeadersHint}
            placeholder="service-signature: t=…,v1=…"
            value={headers}
            onChange={edited(setHeaders)}
            {...AS_SENT}
          />
          <Textarea
            label={words.verifyBody}
            description={words.verifyBodyHint}
            placeholder={'{"id":"evt_…","type":"user.created",…}'}
            value={body}
            onChange={edited(setBody)}
            {...AS_SENT}
          />
          <PasswordInput
            label={words.verifySecret}
            description={words.verifySecretHint}
            value={secret}
            onChange={edited(setSecret)}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': words.verifyShowSecret }}
            required
          />
          <Button type="submit" disabled={!window.isSecureContext} style={{ alignSelf: 'flex-start' }}>
            {words.verify}
          </Button>
          <div aria-live="polite">
            {verify.data && <VerdictNotice verdict={verify.data} />}
            {verify.error && <ErrorNotice error={verify.error} />}
          </div>
        </Stack>
      </form>
    </Paper>
  );
}

function VerdictNotice({ verdict: { name, isValid, detail, checks } }: { verdict: Verdict }) {
  const { title, text } = words.verdicts[name];
  const color = name === 'valid' ? 'green' : isValid ? 'yellow' : 'red';
  const Sign = name === 'valid' ? IconCheck : isValid ? IconAlertTriangle : IconX;
  return (
    <Alert color={color} icon={<Sign aria-hidden />} title={title}>
      <Stack gap="xs">
        <Text size="sm">
          {text} {detail?.position !== undefined && words.firstDifference(detail.position)}{' '}
          {detail?.tail !== undefined && words.verdicts.secret_tail(detail.tail)}
        </Text>
        {checks.length > 0 && (
          <List size="sm" spacing={2} aria-label={words.checks}>
            {checks.map((check) => (
              <List.Item key={check.kind}>{wordsOf(check)}</List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Alert>
  );
}

function wordsOf(check: Check): string {
  if (check.kind === 'timestamp') return `${words.checkTimestamp}: ${words.age(check.ageSeconds)}`;
  const name = check.kind === 'own' ? words.checkOwn(check.headerName ?? words.checkSignature) : words.checkStandard;
  if (check.isAbsent) return `${name}: ${words.checkAbsent}`;
  if (check.isIncomplete) return `${name}: ${words.checkIncomplete}`;
  return `${name}: ${check.isGood ? words.checkFits : words.checkFitsNot}`;
}
