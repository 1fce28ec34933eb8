import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '#directory/organizations';
import { Group } from './group.entity.js';
import { GroupRepository } from './group.repository.js';
import { GroupsController } from './groups.controller.js';
import { GroupsService } from './groups.service.js';

/** Groups of organizations. */
@Module({
  imports: [TypeOrmModule.forFeature([Group]), OrganizationsModule],
  controllers: [GroupsController],
  providers: [GroupRepository, GroupsService],
})
export class GroupsModule {}
