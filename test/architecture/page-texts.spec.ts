import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { FIELD_PROBLEM_CODES } from '#platform/common';
import { BUILT_IN_ROLES } from '#directory/roles';
import { placeholdersOf } from '../support/message-placeholders.js';
import { problemCodes } from '../support/problem-codes.js';
import { loadedFrom, PAGE_SOURCES } from './page-sources.js';

const textsIn = (file: string) => JSON.parse(readFileSync(join(PAGE_SOURCES, 'texts', file), 'utf8')) as Record<string, string>;
const signInEnglish = textsIn('sign-in/en.json');
/** Texts of the API in German. In English, the pages show the texts of the API. */
const service = textsIn('service/de.json');
const english = { ...service, ...signInEnglish, ...textsIn('en.json') };
const german = { ...service, ...textsIn('sign-in/de.json'), ...textsIn('de.json') };

/** A call of `t`, `findText` or `choices`. In `text`, `*` replaces a part that is computed at run time. */
interface Use {
  readonly where: string;
  readonly text: string;
  /** The names of the values, or undefined if the values are not literals. */
  readonly values: readonly string[] | undefined;
}

function usesIn(path: string): Use[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const uses: Use[] = [];
  const idsOf = (node: ts.Node): string[] => {
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isTemplateExpression(node))
      return [node.head.text + node.templateSpans.map(({ literal }) => `*${literal.text}`).join('')];
    if (ts.isSatisfiesExpression(node)) return idsOf(node.expression);
    if (ts.isConditionalExpression(node)) return [...idsOf(node.whenTrue), ...idsOf(node.whenFalse)];
    return [];
  };
  const visit = (node: ts.Node): void => {
    // A text ID in a constant counts as used. Its values are not checked.
    if (ts.isStringLiteralLike(node) && node.text in english && !ts.isCallExpression(node.parent))
      uses.push({ where: path, text: node.text, values: undefined });
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && /^(?:t|findText|choices)$/.test(node.expression.text)) {
      const [id, values] = node.arguments;
      const names =
        values && ts.isObjectLiteralExpression(values) ? values.properties.map((each) => each.name!.getText(source)) : [];
      const suffix = node.expression.text === 'choices' ? '.*' : '';
      for (const text of idsOf(id!))
        uses.push({ where: path, text: text + suffix, values: suffix ? undefined : names.toSorted() });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return uses;
}

const files = readdirSync(PAGE_SOURCES, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.tsx?$/.test(name) && !/\.(?:gen|spec)\.ts$/.test(name) && !name.startsWith('texts/'),
);
const uses = files.flatMap((name) => usesIn(join(PAGE_SOURCES, name)));
const patternOf = (text: string): RegExp => new RegExp(`^${text.replaceAll('.', String.raw`\.`).replaceAll('*', '.+')}$`);

/** Returns a message for each use of a nonexistent text. */
const missingIn = (texts: Readonly<Record<string, string>>, uses: readonly Use[]): string[] => {
  const ids = Object.keys(texts);
  const exists = ({ text }: Use) => (text.includes('*') ? ids.some((id) => patternOf(text).test(id)) : text in texts);
  return uses.filter((use) => !exists(use)).map(({ where, text }) => `${where}: there is no text ${text}`);
};

describe('the text catalog', () => {
  it('has every text with equal placeholders in English and German', () => {
    expect(Object.keys(german)).toEqual(Object.keys(english));
    const different = Object.keys(english).filter(
      (id) => placeholdersOf(german[id]!).join() !== placeholdersOf(english[id]!).join(),
    );
    expect(different).toEqual([]);
  });

  it('has every error, rejected field, permission and built-in role of the API in German, and no other', () => {
    const { components } = JSON.parse(readFileSync(join(PAGE_SOURCES, '../../../openapi.json'), 'utf8'));
    const scopes: string[] = components.schemas.CreateApiKeyRequest.properties.scopes.items.enum;
    const permissions = scopes.filter((scope) => !scope.endsWith('*'));
    const problems = problemCodes();
    const expected = [
      ...problems.map((code) => `service.problems.${code}`),
      ...FIELD_PROBLEM_CODES.filter((code) => !problems.includes(code)).map((code) => `service.fieldProblems.${code}`),
      ...BUILT_IN_ROLES.flatMap(({ name }) => [`service.roles.${name}`, `service.roleNames.${name}`]),
      ...permissions.map((name) => `service.permissions.${name}`),
    ];
    const ids = Object.keys(service).filter((id) => !id.startsWith('service.fieldLimits.'));
    expect(ids.toSorted()).toEqual(expected.toSorted());
    const resources = permissions.map((name) => `permissionMatrix.resources.${name.split(':')[0]}`);
    expect(resources.filter((id) => !(id in german))).toEqual([]);
  });

  it('contains no unused text', () => {
    const patterns = uses.filter(({ text }) => text.includes('*')).map(({ text }) => patternOf(text));
    const used = new Set(uses.map(({ text }) => text));
    const unused = Object.keys(english).filter((id) => !used.has(id) && !patterns.some((pattern) => pattern.test(id)));
    expect(unused).toEqual([]);
  });

  it('contains every text that the pages use', () => {
    const wrong = uses.flatMap(({ where, text, values }) => {
      if (values === undefined || !(text in english)) return [];
      const expected = placeholdersOf(english[text]!);
      return expected.join() === values.join() ? [] : [`${where}: ${text} takes ${expected.join()}, not ${values.join()}`];
    });
    expect([...missingIn(english, uses), ...wrong]).toEqual([]);
  });

  it('names all event types of each named resource', () => {
    const { webhooks } = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'));
    const types = Object.keys(webhooks);
    expect(types).toContain('user.created');
    const groupOf = (type: string): string => type.split('.')[0]!;
    const named = types.filter((type) => `eventTypes.${type}` in english);
    const groups = new Set([...named.map(groupOf), 'user', 'organization', 'role', 'webhook', 'identity_provider', 'security']);
    expect(types.filter((type) => groups.has(groupOf(type)) && !named.includes(type))).toEqual([]);
  });

  it('contains every sign-in text only in sign-in/en.json', () => {
    const { files } = loadedFrom('account/sign-in/main.tsx');
    const used = [...files].filter((file) => /\.tsx?$/.test(file)).flatMap((file) => usesIn(join(PAGE_SOURCES, file)));
    expect(missingIn({ ...service, ...signInEnglish }, used)).toEqual([]);
    expect(Object.keys(textsIn('en.json')).filter((id) => id in signInEnglish)).toEqual([]);
  });
});
