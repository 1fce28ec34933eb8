import { describe, expect, it } from '@jest/globals';
import { restartPauseMs } from './restart-pause.js';

describe('restartPauseMs', () => {
  it('doubles the pause, up to 30 s, if the process exits within a minute', () => {
    const pausesMs: number[] = [];
    for (let pauseMs = 0; pausesMs.length < 7; pausesMs.push(pauseMs)) pauseMs = restartPauseMs(59_999, pauseMs);

    expect(pausesMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('returns 1 s if the process ran for a minute', () => {
    expect(restartPauseMs(60_000, 30_000)).toBe(1_000);
  });
});
