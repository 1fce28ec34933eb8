import type { PasswordFormat } from './password-format.js';

/** 2^14 rounds take most of a second, and each step twice as long. */
const MAX_COST = 14;

/** The last characters of salt and digest hold only four and two bits, so that few can stand there. */
const FORM = /^\$2[aby]\$(0[4-9]|[12]\d|3[01])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;

/** Loaded with the first hash of its kind: the native module would slow the start. */
const bcrypt = () => import('@node-rs/bcrypt');

/** bcrypt as services have it that users come from. It sees 72 bytes of a password, and so did they. */
export const BCRYPT: PasswordFormat = {
  read(hash) {
    const [, cost] = FORM.exec(hash) ?? [];
    if (cost === undefined) return undefined;
    return { isTooCostly: Number(cost) > MAX_COST, verify: async (password) => (await bcrypt()).verify(password, hash) };
  },
};
