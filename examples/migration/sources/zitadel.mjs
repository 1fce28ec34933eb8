import { groupBy, readJson } from './shared.mjs';

/**
 * `zitadel export.json`: the response of `POST /admin/v1/export` with `with_passwords`, `with_otp` and `response_output`. Converts the users
 * of all organizations of the file; restrict it with `org_ids`.
 */
export function zitadel([file], { link }) {
  const data = readJson(file);
  return (data.orgs ?? data.dataOrgs.orgs).flatMap(({ humanUsers = [], userLinks = [], userMetadata = [] }) => {
    const [links, metadata] = [groupBy(userLinks, 'userId'), groupBy(userMetadata, 'userId')];
    return humanUsers.map(({ userId, user: { profile = {}, email, phone, ...user } }) => ({
      externalId: userId,
      email: email?.email,
      emailVerified: email?.isEmailVerified ?? false,
      firstName: profile.firstName,
      lastName: profile.lastName,
      displayName: profile.displayName,
      locale: profile.preferredLanguage,
      phoneNumber: phone?.phone,
      phoneVerified: (phone?.phone && phone.isPhoneVerified) || undefined,
      metadata: Object.fromEntries(
        (metadata.get(userId) ?? []).map(({ key, value }) => [key, Buffer.from(value, 'base64').toString('utf8')]),
      ),
      passwordHash: user.hashedPassword?.value,
      totpSecret: user.otpCode,
      identities: (links.get(userId) ?? []).map(({ idpId, externalUserId }) => link(idpId, externalUserId)),
    }));
  });
}
