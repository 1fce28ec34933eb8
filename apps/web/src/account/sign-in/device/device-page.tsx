import { Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../texts';
import { SignInLayout } from '../sign-in-layout';
import { AnswerDevice } from './answer-device';
import { EnterCode } from './enter-code';
import type { DeviceAnswer, OpenDevice } from './device-request';

/** Asks for the code of a device, and whether the device can act for the user. */
export function DevicePage() {
  const [device, setDevice] = useState<OpenDevice>();
  const [answer, setAnswer] = useState<DeviceAnswer>();
  if (answer)
    return (
      <SignInLayout title={t(`signIn.device.done.${answer}`)}>
        <Text role="status">{t(`signIn.device.doneText.${answer}`)}</Text>
      </SignInLayout>
    );
  return device ? <AnswerDevice {...device} onAnswer={setAnswer} /> : <EnterCode onOpen={setDevice} />;
}
