import { jest } from '@jest/globals';

// A real browser beside other suites on two processors can be late in ways that no wait foresees. Both failures are printed.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
