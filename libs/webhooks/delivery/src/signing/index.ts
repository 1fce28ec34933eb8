export { deliveryHeaders } from './delivery-headers.js';
export { verifySignature } from './signature.js';
export { restoredHeaders, type StoredHeaders, storedHeaders, type StoredRequest } from './stored-request.js';
