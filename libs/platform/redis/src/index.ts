export { RedisConnections } from './redis-connections.js';
