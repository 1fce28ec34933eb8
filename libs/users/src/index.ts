export { User } from './user.entity.js';
export { UsersModule } from './users.module.js';
