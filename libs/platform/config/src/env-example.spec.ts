import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'dotenv';
import { loadConfig } from './load-config.js';
import { VARIABLES } from './variables.js';

describe('.env.example', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../../../.env.example'), 'utf8');
  const examples = parse(text.replaceAll(/^# (?=[A-Z][A-Z_]*=)/gm, ''));

  it('lists exactly the variables of the configuration', () => {
    expect(Object.keys(examples).sort()).toEqual(Object.keys(VARIABLES).sort());
  });

  it('contains the defaults', () => {
    const expected = Object.entries(VARIABLES).filter(([, variable]) => variable.default !== '');

    expect(examples).toMatchObject(Object.fromEntries(expected.map(([name, variable]) => [name, variable.default])));
    expect({ ...loadConfig(examples) }).toEqual({ ...loadConfig({}) });
  });

  it('sets no variable', () => {
    expect(parse(text)).toEqual({});
  });
});
