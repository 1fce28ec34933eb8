export { BatchPost } from './batch-post.js';
export { BatchResponse } from './batch.responses.js';
export { BatchService, type ItemAnswer, type ItemWork } from './batch.service.js';
