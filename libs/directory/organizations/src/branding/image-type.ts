/** Image types that browsers display. SVG is excluded, because SVG can contain scripts. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

const SIGNATURES: Record<ImageType, (beginning: string) => boolean> = {
  'image/png': (beginning) => beginning.startsWith('\x89PNG\r\n\x1a\n'),
  'image/jpeg': (beginning) => beginning.startsWith('\xff\xd8\xff'),
  'image/gif': (beginning) => beginning.startsWith('GIF87a') || beginning.startsWith('GIF89a'),
  'image/webp': (beginning) => beginning.startsWith('RIFF') && beginning.startsWith('WEBP', 8),
};

const SIGNATURE_MAX_BYTES = 12;

/** Returns the type of an image by its first bytes (WHATWG MIME Sniffing, section 6.1), or undefined if the type is not supported. */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  const beginning = bytes.toString('latin1', 0, SIGNATURE_MAX_BYTES);
  return IMAGE_TYPES.find((type) => SIGNATURES[type](beginning));
}
