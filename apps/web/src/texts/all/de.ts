import type { Messages } from '..';
import pages from '../de.json' with { type: 'json' };
import service from '../service/de.json' with { type: 'json' };
import signIn from '../sign-in/de.json' with { type: 'json' };

/** All texts in one file, because each file takes a request. */
export const messages: Messages = { ...service, ...signIn, ...pages };
