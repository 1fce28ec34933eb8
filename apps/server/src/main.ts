import { a } from '#common';
console.log('hello', a);
