import { Module } from '@nestjs/common';
import { MembershipsModule } from '#directory/memberships';
import { OrganizationsModule } from '#directory/organizations';
import { UsersModule } from '#directory/users';
import { AccessReportBatchesService } from './access-report/access-report-batches.service.js';
import { AccessReportController } from './access-report/access-report.controller.js';
import { AccessReportQuery } from './access-report/access-report.query.js';
import { AccessReportService } from './access-report/access-report.service.js';
import { EarlierVersionsQuery } from './user-data/earlier-versions.query.js';
import { OwnDataController } from './user-data/own-data.controller.js';
import { UserDataController } from './user-data/user-data.controller.js';
import { UserDataExportService } from './user-data/user-data-export.service.js';

/** Access reports of organizations, and exports of the data of one user. */
@Module({
  imports: [MembershipsModule, OrganizationsModule, UsersModule],
  controllers: [AccessReportController, OwnDataController, UserDataController],
  providers: [AccessReportBatchesService, AccessReportQuery, AccessReportService, EarlierVersionsQuery, UserDataExportService],
})
export class ReportsModule {}
