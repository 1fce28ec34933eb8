import { parse } from 'csv-parse/sync';
import { read } from './shared.mjs';

const listed = (cell) => cell.split(/[,|;]+/).map((each) => each.trim());

/** `clerk users.csv`: the CSV of the dashboard. */
export function clerk([file]) {
  return parse(read(file), { columns: true }).map((user) => ({
    externalId: user.id,
    email: user.primary_email_address,
    emailVerified: user.verified_email_addresses.split(/[\s,|;]+/).includes(user.primary_email_address),
    firstName: user.first_name,
    lastName: user.last_name,
    displayName: user.username,
    phoneNumber: user.primary_phone_number,
    phoneVerified:
      (user.primary_phone_number && listed(user.verified_phone_numbers).includes(user.primary_phone_number)) || undefined,
    passwordHash: user.password_digest,
    totpSecret: user.totp_secret,
  }));
}
