import { account } from './en/account';
import { common } from './en/common';
import { errors } from './en/errors';
import { events, eventVerification } from './en/events';
import { organizations } from './en/organizations';
import { shell } from './en/shell';

/** All that people read on the pages, by area. Another language is another folder beside `en` with the same shape. */
export const texts = { account, common, errors, events, eventVerification, organizations, shell };
