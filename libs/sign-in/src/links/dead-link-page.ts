import { noticePage, type Shown } from '#credentials';
import { adviceOn, type LinkInvalid } from './link-errors.js';

const HEADINGS = {
  used: 'This link was used already',
  expired: 'This link has expired',
  voided: 'This link was replaced',
  unknown: 'This link does not work',
} as const;

/** Says that a link does not work, and what to do. */
export const deadLinkPage = ({ failure }: LinkInvalid, nonce: string): Shown => ({
  status: 400,
  html: noticePage(HEADINGS[failure], adviceOn(failure), nonce),
});
