export { BatchPost } from './batch-post.js';
export { BatchResponse } from './batch.responses.js';
export { BatchService } from './batch.service.js';
