export { GroupsModule } from './groups.module.js';
