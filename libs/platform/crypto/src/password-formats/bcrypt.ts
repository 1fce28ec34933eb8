import type { PasswordFormat } from './password-format.js';

/** Maximum cost. A hash with 2^14 rounds takes almost a second. Each increment of the cost doubles the time. */
const MAX_COST = 14;

/** The last characters of salt and digest contain only four and two bits, so few characters are valid there. */
const FORMAT = /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;

/** Imports the native module on first use, because the import would delay the startup. */
const bcrypt = () => import('@node-rs/bcrypt');

/** bcrypt, for imported users. bcrypt uses only the first 72 bytes of a password. */
export const BCRYPT: PasswordFormat = {
  read(hash) {
    const [, cost] = FORMAT.exec(hash) ?? [];
    if (cost === undefined) return undefined;
    return { isTooCostly: Number(cost) > MAX_COST, verify: async (password) => (await bcrypt()).verify(password, hash) };
  },
};
