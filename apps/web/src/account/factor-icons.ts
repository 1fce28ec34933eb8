import { DeviceMobileIcon, type Icon, MailIcon, PasskeyFillIcon, ShieldLockIcon } from '@primer/octicons-react';
import type { Schema } from '../api/client';

export type FactorMethod = Schema<'OwnMfaResponse'>['factors'][number]['method'];

export const FACTOR_ICONS: Readonly<Record<FactorMethod, Icon>> = {
  totp: ShieldLockIcon,
  passkey: PasskeyFillIcon,
  email: MailIcon,
  sms: DeviceMobileIcon,
};
