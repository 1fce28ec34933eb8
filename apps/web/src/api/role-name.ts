import { findText } from '../texts';

/** Returns the name of a role in the language of the page. Only built-in roles have a translation, and no other role can have their names. */
export const roleName = (name: string): string => findText(`service.roleNames.${name}`) ?? name;
