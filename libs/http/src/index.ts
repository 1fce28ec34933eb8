export * from './answers.js';
export * from './fields/index.js';
export * from './pagination.js';
export * from './problem.filter.js';
export * from './request.js';
export * from './requires.js';
export * from './validation.pipe.js';
