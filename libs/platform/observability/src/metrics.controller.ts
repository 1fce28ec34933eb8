import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { Public } from '#platform/common';
import { MetricsService } from './metrics.service.js';

@ApiTags('Operations')
@Controller('metrics')
@Public('Prometheus scrapes without credentials; the metrics name no organization and no person.')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'getMetrics',
    summary: 'Get Prometheus metrics',
    description:
      'Returns the metrics of this instance of the service. The metrics contain no names or ids of organizations or users.',
  })
  @ApiProduces('text/plain')
  @ApiOkResponse({
    description: 'Metrics in the Prometheus text format.',
    schema: { type: 'string', example: '# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 1.5\n' },
  })
  read(): Promise<string> {
    return this.metrics.text();
  }
}
