import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  type CounterConfiguration,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

/** The metrics of one process, for aggregation with other processes. */
export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[];

/** Returns the metrics of several processes as text for Prometheus. Adds the values, unless a metric has another `aggregator`. */
export function aggregateMetrics(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate([...snapshots]).metrics();
}

/** The metrics of this process. Names follow Prometheus: snake_case, base units, `_total` for counters. */
@Injectable()
export class MetricsService implements OnApplicationBootstrap {
  readonly registry = new Registry();

  /** Duration of requests in seconds. `route` is the template of the route, `status` the status code or `aborted`. */
  readonly httpRequests = this.histogram({
    name: 'http_request_duration_seconds',
    help: 'HTTP requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });

  private read = (): Promise<string> => this.registry.metrics();

  /** Begins at the end of the startup, which blocks the event loop for longer than any request. */
  onApplicationBootstrap(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Creates a counter. @throws Error if a metric with this name exists */
  counter<Label extends string>(configuration: CounterConfiguration<Label>): Counter<Label> {
    return new Counter({ ...configuration, registers: [this.registry] });
  }

  /**
   * Creates a gauge. Prometheus's client calls `collect` before each read of the gauge. A value that is the same in all processes needs an
   * `aggregator`, because the default is the sum.
   */
  gauge<Label extends string>(configuration: GaugeConfiguration<Label>): Gauge<Label> {
    return new Gauge({ ...configuration, registers: [this.registry] });
  }

  histogram<Label extends string>(configuration: HistogramConfiguration<Label>): Histogram<Label> {
    return new Histogram({ ...configuration, registers: [this.registry] });
  }

  /** Returns all metrics in Prometheus's text format 0.0.4. */
  text(): Promise<string> {
    return this.read();
  }

  /** Makes `text` return the result of `read`, which aggregates the metrics of several processes. */
  readFrom(read: () => Promise<string>): void {
    this.read = read;
  }

  snapshot(): Promise<MetricsSnapshot> {
    return this.registry.getMetricsAsJSON();
  }
}
