import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '#directory/organizations';
import { BreakGlassExpiryService } from './break-glass-expiry.service.js';
import { BreakGlassController } from './break-glass.controller.js';
import { BreakGlassQuery } from './break-glass.query.js';
import { BreakGlassRepository } from './break-glass.repository.js';
import { BreakGlassService } from './break-glass.service.js';
import { BreakGlassRequest } from './break-glass-request.entity.js';
import { BreakGlassPersonalDataQuery } from './break-glass-personal-data.query.js';
import './break-glass-notifications.query.js';

/** Temporary owner access that a second person approves. */
@Module({
  imports: [TypeOrmModule.forFeature([BreakGlassRequest]), OrganizationsModule],
  controllers: [BreakGlassController],
  providers: [BreakGlassPersonalDataQuery, BreakGlassService, BreakGlassExpiryService, BreakGlassQuery, BreakGlassRepository],
})
export class BreakGlassModule {}
