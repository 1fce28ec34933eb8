import { texts } from '../../../texts';

const words = texts.breakGlass;

/** How people say a length of time. */
export const durationText = (seconds: number): string => words.durations[seconds] ?? words.minutes(Math.round(seconds / 60));
