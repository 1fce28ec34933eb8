import { Alert, Button, List, Paper, PasswordInput, Stack, Text, Textarea, Title } from '@mantine/core';
import { AlertIcon, CheckIcon, XIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { t } from '../../../texts';
import { ErrorNotice } from '../../../ui/error-notice';
import { useApiMutation } from '../../../ui/use-api-mutation';
import { type Check, TOLERANCE_SECONDS, type Verdict } from './verdict';
import { verifySignature } from './verify-signature';

const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-xs)' } };
const RAW_TEXT_PROPS = { autosize: true, minRows: 3, maxRows: 10, spellCheck: false, styles: MONOSPACE, required: true } as const;

interface Props {
  readonly maskedSecret: string;
  /** An attempt that prefills the form. */
  readonly sent?: {
    readonly attempt: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    /** Whether the body is the signed body, not a redacted body. */
    readonly isOriginal: boolean;
  };
}

/** Verifies a pasted signature in the browser and explains an invalid signature. */
export function VerifyCard({ maskedSecret, sent }: Props) {
  const { verify, textField } = useVerification(maskedSecret, sent);
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('webhookSigning.verifyTitle')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          verify.mutate(undefined);
        }}
      >
        <Stack>
          <div>
            <Title order={2} mb="xs">
              {t('webhookSigning.verifyTitle')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('webhookSigning.verifyExplained')}
            </Text>
          </div>
          {!window.isSecureContext && <Alert color="yellow">{t('webhookSigning.verifyInsecure')}</Alert>}
          {sent && <Alert color="gray">{t('webhookSigning.prefilled', { attempt: sent.attempt })}</Alert>}
          <Textarea
            label={t('webhookSigning.verifyHeaders')}
            description={t('webhookSigning.verifyHeadersHint')}
            placeholder="service-signature: t=…,v1=…"
            {...textField('headers')}
            {...RAW_TEXT_PROPS}
          />
          <Textarea
            label={t('webhookSigning.verifyBody')}
            description={t('webhookSigning.verifyBodyHint')}
            placeholder={'{"id":"evt_…","type":"user.created",…}'}
            {...textField('body')}
            {...RAW_TEXT_PROPS}
          />
          <PasswordInput
            label={t('webhookSigning.verifySecret')}
            description={t('webhookSigning.verifySecretHint')}
            {...textField('secret')}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': t('webhookSigning.verifyShowSecret') }}
            required
          />
          <Button type="submit" disabled={!window.isSecureContext} style={{ alignSelf: 'flex-start' }}>
            {t('webhookSigning.verify')}
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

type Field = 'headers' | 'body' | 'secret';

/** The entered values and their verification. An edit clears the previous result. */
function useVerification(maskedSecret: string, sent: Props['sent']) {
  const [values, setValues] = useState<Record<Field, string>>(() => ({
    headers: Object.entries(sent?.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    body: sent?.body ?? '',
    secret: '',
  }));
  const verify = useApiMutation({
    mutationFn: () =>
      verifySignature(
        { ...values, nowSeconds: Date.now() / 1_000 },
        { maskedSecret, ...(sent?.isOriginal ? { sentBody: sent.body } : {}) },
      ),
    invalidates: [],
  });
  const textField = (name: Field) => ({
    value: values[name],
    onChange: ({ currentTarget: { value } }: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setValues((before) => ({ ...before, [name]: value }));
      verify.reset();
    },
  });
  return { verify, textField };
}

function VerdictNotice({ verdict: { name, isValid, detail, checks } }: { verdict: Verdict }) {
  const color = name === 'valid' ? 'green' : isValid ? 'yellow' : 'red';
  const Icon = name === 'valid' ? CheckIcon : isValid ? AlertIcon : XIcon;
  const header = checks.flatMap((check) => (check.kind === 'own' && check.headerName ? [check.headerName] : []))[0] ?? '';
  return (
    <Alert color={color} icon={<Icon size={20} />} title={t(`webhookSigning.verdicts.${name}.title`)}>
      <Stack gap="xs">
        <Text size="sm">
          {t(`webhookSigning.verdicts.${name}.text`, { header })}{' '}
          {detail?.position !== undefined && t('webhookSigning.firstDifference', { position: detail.position })}{' '}
          {detail?.tail !== undefined && t('webhookSigning.verdicts.secret_tail', { tail: detail.tail })}
        </Text>
        {checks.length > 0 && (
          <List size="sm" spacing={2} aria-label={t('webhookSigning.checks')}>
            {checks.map((check) => (
              <List.Item key={check.kind}>{checkText(check)}</List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Alert>
  );
}

function ageText(seconds: number): string {
  if (seconds < 0) return t('webhookSigning.ageAhead', { seconds: -seconds });
  if (seconds < TOLERANCE_SECONDS) return t('webhookSigning.ageWithin', { seconds });
  return t('webhookSigning.ageBeyond', { minutes: Math.round(seconds / 60) });
}

function checkText(check: Check): string {
  if (check.kind === 'timestamp') return `${t('webhookSigning.checkTimestamp')}: ${ageText(check.ageSeconds)}`;
  const name =
    check.kind === 'own'
      ? t('webhookSigning.checkOwn', { name: check.headerName ?? t('webhookSigning.checkSignature') })
      : t('webhookSigning.checkStandard');
  if (check.isAbsent) return `${name}: ${t('webhookSigning.checkAbsent')}`;
  if (check.isIncomplete) return `${name}: ${t('webhookSigning.checkIncomplete')}`;
  return `${name}: ${check.isGood ? t('webhookSigning.checkMatch') : t('webhookSigning.checkNoMatch')}`;
}
