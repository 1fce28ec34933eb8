/** Pictures that browsers show and that can hold no script, unlike SVG. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

const BEGINNINGS: Record<ImageType, (beginning: string) => boolean> = {
  'image/png': (beginning) => beginning.startsWith('\x89PNG\r\n\x1a\n'),
  'image/jpeg': (beginning) => beginning.startsWith('\xff\xd8\xff'),
  'image/gif': (beginning) => beginning.startsWith('GIF87a') || beginning.startsWith('GIF89a'),
  'image/webp': (beginning) => beginning.startsWith('RIFF') && beginning.startsWith('WEBP', 8),
};

/** The longest of them, in bytes. */
const BEGINNING_BYTES = 12;

/** What a picture is by its first bytes (WHATWG MIME Sniffing, section 6.1), whatever it is said to be; undefined for anything else. */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  const beginning = bytes.toString('latin1', 0, BEGINNING_BYTES);
  return IMAGE_TYPES.find((type) => BEGINNINGS[type](beginning));
}
