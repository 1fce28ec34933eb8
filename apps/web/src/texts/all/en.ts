import type { Messages } from '..';
import pages from '../en.json' with { type: 'json' };
import signIn from '../sign-in/en.json' with { type: 'json' };

/** All texts in one file, because each file takes a request. */
export const messages: Messages = { ...signIn, ...pages };
