export { deliveryHeaders } from './delivery-headers.js';
export { verifySignature } from './signature.js';
export { type KeptHeaders, keptHeaders, type KeptRequest, sentHeaders } from './kept-request.js';
