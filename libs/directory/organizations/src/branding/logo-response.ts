import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { IMAGE_TYPES } from './image-type.js';
import type { Image } from './logo-download.js';

const BINARY = { schema: { type: 'string', format: 'binary' } } as const;

/** What the service accepts as a logo, for descriptions of operations. */
export const LOGO_RULES =
  'The service downloads the image and caches it for 1 hour, so that pages load nothing from other hosts. The image must be a PNG, JPEG, GIF or WebP of up to 512 KB. Redirects are not followed.';

/** Documents an operation that returns a logo. */
export const ApiLogo = (): MethodDecorator =>
  applyDecorators(
    ApiOkResponse({ description: 'The image.', content: Object.fromEntries(IMAGE_TYPES.map((type) => [type, BINARY])) }),
  );

/** What a response with a logo says to caches. Pictures of users are for the caller alone. */
const CACHE_CONTROL = { public: 'public, max-age=3600', private: 'private, max-age=300' } as const;

/** Sends a logo or a picture from a URL. A browser can display the bytes as an image, but can't run them as a page or script. */
export function sendLogo(response: Response, { type, bytes }: Image, caching: keyof typeof CACHE_CONTROL = 'public'): void {
  response.set({
    'Content-Type': type,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': CACHE_CONTROL[caching],
  });
  response.send(bytes);
}
