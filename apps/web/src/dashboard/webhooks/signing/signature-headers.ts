/** The signatures in pasted headers. */
export interface Signatures {
  /** Unix seconds as text, a part of the signed content. */
  readonly timestamp: string;
  /** The signature in the format of this service. */
  readonly own?: { readonly headerName: string; readonly hex: readonly string[] };
  /** The signatures of Standard Webhooks. */
  readonly standard?: { readonly id: string; readonly timestamp: string; readonly base64: readonly string[] };
  readonly isStandardIncomplete: boolean;
}

// Matches headers as HTTP, as curl options, as JSON, or as printed by a programming language.
const NAME_VALUE_SEPARATOR = String.raw`["']?\s*(?::|=>?)\s*["']?`;
const OWN = /t=(\d{1,15})((?:\s*,\s*v1=[0-9a-f]{64}(?![0-9a-f]))+)/i;
const OWN_NAME = new RegExp(String.raw`(?<![\w-])([\w-]+-signature)${NAME_VALUE_SEPARATOR}t=`, 'i');
const STANDARD = new RegExp(String.raw`webhook-signature${NAME_VALUE_SEPARATOR}((?:v1,[A-Za-z0-9+/]+={0,2}\s*)+)`, 'i');
const STANDARD_ID = new RegExp(String.raw`webhook-id${NAME_VALUE_SEPARATOR}([\w.-]+)`, 'i');
const STANDARD_TIMESTAMP = new RegExp(String.raw`webhook-timestamp${NAME_VALUE_SEPARATOR}(\d+)`, 'i');
const ANY_SIGNATURE = /\bv1[=,]|-signature\b/i;

/** Parses signatures from pasted headers. */
export function readSignatures(text: string): Signatures | 'none' | 'unreadable' {
  const [, ownTimestamp, ownSignatures = ''] = OWN.exec(text) ?? [];
  const standardSignatures = STANDARD.exec(text)?.[1];
  const id = STANDARD_ID.exec(text)?.[1];
  const standardTimestamp = STANDARD_TIMESTAMP.exec(text)?.[1] ?? ownTimestamp;
  const hasAllStandardHeaders = standardSignatures !== undefined && id !== undefined && standardTimestamp !== undefined;
  const timestamp = ownTimestamp ?? (hasAllStandardHeaders ? standardTimestamp : undefined);
  if (timestamp === undefined) return ANY_SIGNATURE.test(text) ? 'unreadable' : 'none';
  return {
    timestamp,
    isStandardIncomplete: standardSignatures !== undefined && !hasAllStandardHeaders,
    ...(ownTimestamp === undefined
      ? {}
      : {
          own: {
            headerName: (OWN_NAME.exec(text)?.[1] ?? 'signature').toLowerCase(),
            hex: [...ownSignatures.matchAll(/v1=([0-9a-f]{64})/gi)].map(([, hex]) => hex!.toLowerCase()),
          },
        }),
    ...(hasAllStandardHeaders
      ? {
          standard: {
            id,
            timestamp: standardTimestamp,
            base64: [...standardSignatures.matchAll(/v1,(\S+)/g)].map(([, base64]) => base64!),
          },
        }
      : {}),
  };
}

/** Returns the 1-based position of the first difference of two texts. */
export function firstDifference(one: string, other: string): number {
  let position = 0;
  while (position < one.length && one[position] === other[position]) position++;
  return position + 1;
}
