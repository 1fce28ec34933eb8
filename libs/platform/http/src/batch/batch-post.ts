import { applyDecorators, HttpCode } from '@nestjs/common';
import { HandlesIdempotency } from '../idempotency/handles-idempotency.js';
import { Post } from '../idempotency/post.js';
import { ApiData } from '../responses.js';
import { BatchResponse } from './batch.responses.js';

/** `@Post()` for an operation that runs its items with `BatchService`. */
export const BatchPost = (path: string): MethodDecorator =>
  applyDecorators(
    Post(path),
    HttpCode(200),
    HandlesIdempotency(),
    ApiData(BatchResponse, { description: 'The result of each item. The status is 200 even if items failed.' }),
  );
