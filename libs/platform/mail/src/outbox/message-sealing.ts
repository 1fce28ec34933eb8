import type { SecretSealer } from '#platform/crypto';
import type { MailContent, SmsContent } from './message-content.js';

/** Returns the encryption context. Content that was copied to the row of another message can't be decrypted. */
const contextOf = (id: string): string => `messages|content|${id}`;

/** Encrypts the content of a message. The content can contain a link or a code that signs somebody in. */
export const sealContent = (sealer: SecretSealer, id: string, content: MailContent | SmsContent): string =>
  sealer.seal(JSON.stringify(content), contextOf(id));

/** Decrypts the content of a message. @throws SecretUnreadable */
export const openContent = <C extends MailContent | SmsContent>(
  sealer: SecretSealer,
  message: { id: string; contentSealed: string },
): C => JSON.parse(sealer.open(message.contentSealed, contextOf(message.id))) as C;
