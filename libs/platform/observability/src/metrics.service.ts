import { Injectable } from '@nestjs/common';
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

/** The metrics of one process, to be put together with those of others. */
export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[];

/** Prometheus's text of the metrics of several processes: sums, unless a metric has another `aggregator`. */
export function aggregateMetrics(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return AggregatorRegistry.aggregate([...snapshots]).metrics();
}

/** The process's metrics, in a registry of its own. Names follow Prometheus: snake_case, base units, `_total` for counters. */
@Injectable()
export class MetricsService {
  readonly registry = new Registry();

  /** Requests by duration in seconds; `route` is the template, `status` the code or `aborted`. */
  readonly httpRequests = this.histogram({
    name: 'http_request_duration_seconds',
    help: 'HTTP requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });

  private read = (): Promise<string> => this.registry.metrics();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** @throws Error when the name is taken, as the other two do */
  counter<Label extends string>(configuration: CounterConfiguration<Label>): Counter<Label> {
    return new Counter({ ...configuration, registers: [this.registry] });
  }

  /** With `collect`, the value is asked for when it is read. What all processes measure alike has an `aggregator`, so that it is not added up. */
  gauge<Label extends string>(configuration: GaugeConfiguration<Label>): Gauge<Label> {
    return new Gauge({ ...configuration, registers: [this.registry] });
  }

  histogram<Label extends string>(configuration: HistogramConfiguration<Label>): Histogram<Label> {
    return new Histogram({ ...configuration, registers: [this.registry] });
  }

  /** All metrics in Prometheus's text format 0.0.4. */
  text(): Promise<string> {
    return this.read();
  }

  /** From now on `text` gives what `read` does: the metrics of several processes together. */
  readFrom(read: () => Promise<string>): void {
    this.read = read;
  }

  /** The metrics of this process. */
  snapshot(): Promise<MetricsSnapshot> {
    return this.registry.getMetricsAsJSON();
  }
}
