export { DeliveryApiModule } from './delivery-api.module.js';
