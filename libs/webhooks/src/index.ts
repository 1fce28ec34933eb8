export {
  HEADER_NAME_MAX_LENGTH,
  HEADER_VALUE_MAX_LENGTH,
  headerProblem,
  isReservedHeader,
  isTransportHeader,
  signatureHeaderName,
} from './custom-headers.js';
export * from './destination/index.js';
export { generateWebhookSecret, SECRET_MAX_LENGTH, SECRET_PREFIX } from './signing-secret.js';
