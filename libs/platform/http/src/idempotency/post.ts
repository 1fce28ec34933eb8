import { applyDecorators, Post as NestPost, UseInterceptors } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/** Nest's `@Post()` with support for `Idempotency-Key`. All controllers must use this decorator. */
export const Post = (path?: string | string[]): MethodDecorator =>
  applyDecorators(NestPost(path), UseInterceptors(IdempotencyInterceptor));
