import { type Icon, IconDeviceMobileMessage, IconFingerprint, IconMail, IconShieldLock } from '@tabler/icons-react';
import type { Schema } from '../api/client';

export type FactorMethod = Schema<'OwnMfaResponse'>['factors'][number]['method'];

/** The sign of each kind of second factor. */
export const FACTOR_ICONS: Readonly<Record<FactorMethod, Icon>> = {
  totp: IconShieldLock,
  passkey: IconFingerprint,
  email: IconMail,
  sms: IconDeviceMobileMessage,
};
