export { deliveryHeaders, type DeliveryHeadersInput } from './delivery-headers.js';
export {
  signPayload,
  type SignPayloadInput,
  type StandardSignatureInput,
  standardWebhookSignature,
  verifySignature,
  type VerifySignatureInput,
} from './signature.js';
export { type KeptHeaders, keptHeaders, type KeptRequest, sentHeaders } from './kept-request.js';
