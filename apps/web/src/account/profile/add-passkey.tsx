import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { browserSupportsWebAuthn, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { type FormEvent, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { texts } from '../../texts';
import { ErrorNotice } from '../../ui/error-notice';
import type { OnAdded } from './add-factors';
import { useOwnChange } from './use-own-change';

const words = texts.account.factors;

/** Makes a passkey on the device or on a security key. */
export function AddPasskey({ onAdded }: { onAdded: OnAdded }) {
  const [name, setName] = useState('');
  const registration = useOwnChange({
    run: async (given: string, currentPassword) => {
      const body = currentPassword === undefined ? {} : { currentPassword };
      const { data: options } = await answerOf(api.POST('/v1/auth/mfa/passkeys/options', { body }));
      const credential = await startRegistration({ optionsJSON: options.publicKey as never });
      return answerOf(
        api.POST('/v1/auth/mfa/passkeys', { body: { credential: credential as never, ...(given ? { name: given } : {}) } }),
      );
    },
    outdates: [['own-mfa'], ['me'], ['session'], ['own-sessions']],
    done: words.addedNotice,
    onDone: ({ data }) => onAdded(data.recoveryCodes),
  });
  const register = (event: FormEvent) => {
    event.preventDefault();
    registration.mutate(name.trim());
  };
  if (!browserSupportsWebAuthn()) return <Alert color="yellow">{words.passkeyUnsupported}</Alert>;
  const wasCancelled = registration.error instanceof WebAuthnError || registration.error?.name === 'NotAllowedError';
  return (
    <Stack component="form" onSubmit={register}>
      <Text size="sm">{words.explained.passkey}</Text>
      <TextInput
        label={words.passkeyName}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={100}
        data-autofocus
      />
      {wasCancelled && <Alert color="yellow">{words.passkeyCancelled}</Alert>}
      {registration.error && !wasCancelled && <ErrorNotice error={registration.error} />}
      <Button type="submit" loading={registration.isPending}>
        {words.addNamed(words.methods.passkey)}
      </Button>
    </Stack>
  );
}
