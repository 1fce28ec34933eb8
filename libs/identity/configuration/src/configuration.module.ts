import { Module } from '@nestjs/common';
import { OrganizationsModule } from '#directory/organizations';
import { ConfigurationApplyService } from './configuration-apply.service.js';
import { ConfigurationController } from './configuration.controller.js';
import { ConfigurationPlanService } from './configuration-plan.service.js';
import { ConfigurationStateService } from './configuration-state.service.js';
import { ConfigurationStepsService } from './configuration-steps.service.js';
import { OrganizationStepsService } from './organization-steps.service.js';

/** The configuration of an organization and its descendants as one document. */
@Module({
  imports: [OrganizationsModule],
  controllers: [ConfigurationController],
  providers: [
    ConfigurationApplyService,
    ConfigurationPlanService,
    ConfigurationStateService,
    ConfigurationStepsService,
    OrganizationStepsService,
  ],
})
export class ConfigurationModule {}
