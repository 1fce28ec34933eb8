/** How long the previous credential works after a rotation, in seconds, with the labels. */
export const OVERLAPS = [
  [0, 'apiKeys.overlaps.none'],
  [3_600, 'apiKeys.overlaps.hour'],
  [86_400, 'apiKeys.overlaps.day'],
  [604_800, 'apiKeys.overlaps.week'],
] as const;
export const DEFAULT_OVERLAP_SECONDS = 86_400;
