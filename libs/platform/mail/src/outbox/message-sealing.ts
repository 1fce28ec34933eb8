import type { SecretSealer } from '#platform/crypto';
import type { MailContent, SmsContent } from './message.js';

/** Bound to the row, so that a content copied to another recipient's row does not open there. */
const contextOf = (id: string): string => `messages|content|${id}`;

/** Seals a message's content: it may hold a link or a code that signs someone in. */
export const sealContent = (sealer: SecretSealer, id: string, content: MailContent | SmsContent): string =>
  sealer.seal(JSON.stringify(content), contextOf(id));

/** Opens the content of a mail or SMS. @throws SecretUnreadable */
export const openContent = <C extends MailContent | SmsContent>(
  sealer: SecretSealer,
  message: { id: string; contentSealed: string },
): C => JSON.parse(sealer.open(message.contentSealed, contextOf(message.id))) as C;
