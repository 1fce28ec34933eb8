export { DeliveryModule } from './delivery.module.js';
export { type DeliveryJob, DeliveryQueue } from './queue/index.js';
export { verifySignature, type VerifySignatureInput } from './signing/index.js';
