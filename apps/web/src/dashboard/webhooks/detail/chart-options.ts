import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { formatNumber } from '../../../texts';

Chart.register(BarController, BarElement, CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip);

interface ChartStyle {
  readonly isStacked?: boolean;
  /** Formats a value of the y axis. */
  readonly format?: (value: number) => string;
}

/** Returns the options of a time chart. Sets the colors of the theme, because a canvas does not inherit colors. */
export function useChartOptions({ isStacked = false, format = (value) => formatNumber(value, {}) }: ChartStyle) {
  const { colors, fontFamily } = useMantineTheme();
  const isDark = useComputedColorScheme() === 'dark';
  const color = isDark ? colors.dark[1] : colors.gray[7];
  const gridColor = isDark ? colors.dark[5] : colors.gray[2];
  const ticks = { color, font: { family: fontFamily } };
  return {
    animation: false,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    scales: {
      x: {
        stacked: isStacked,
        grid: { display: false },
        border: { display: false },
        ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 24 },
      },
      y: {
        stacked: isStacked,
        beginAtZero: true,
        grid: { color: gridColor },
        border: { display: false },
        ticks: { ...ticks, precision: 0, callback: (value: number | string) => format(Number(value)) },
      },
    },
    plugins: {
      legend: {
        align: 'end',
        labels: { ...ticks, boxWidth: isStacked ? 12 : 24, boxHeight: 12, usePointStyle: !isStacked, pointStyle: 'line' },
      },
      tooltip: {
        callbacks: {
          label: ({ dataset, parsed }: { dataset: { label?: string }; parsed: { y: number | null } }) =>
            `${dataset.label ?? ''}: ${parsed.y === null ? '–' : format(parsed.y)}`,
        },
      },
    },
  } as const;
}
