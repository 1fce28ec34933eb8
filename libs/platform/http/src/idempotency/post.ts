import { applyDecorators, Post as NestPost, UseInterceptors } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/** Nest's `@Post()`, whose operations may be asked for again with the same `Idempotency-Key`. All controllers use this one. */
export const Post = (path?: string | string[]): MethodDecorator =>
  applyDecorators(NestPost(path), UseInterceptors(IdempotencyInterceptor));
