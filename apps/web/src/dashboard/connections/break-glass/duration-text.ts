import { findText, t } from '../../../texts';

export const durationText = (seconds: number): string =>
  findText(`breakGlass.durations.${seconds}`) ?? t('breakGlass.minutes', { count: Math.round(seconds / 60) });
