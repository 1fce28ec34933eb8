import { readFileSync } from 'node:fs';
import type { Schema } from '@identity-service/client';
import { type Command, Option } from 'commander';
import { parse, stringify } from 'yaml';
import { resolveReferences } from '../configuration-references.js';
import { Context } from '../context.js';
import { CommandError, EXIT } from '../failures.js';
import { note, print, printJson, shown, visible } from '../output.js';
import { subcommand, yesOption } from '../options.js';

type Document = Schema<'ConfigurationDocument'>;
type Plan = Schema<'ConfigurationPlanResponse'>;
type Change = Schema<'ConfigurationChangeResponse'>;

/** A configuration has hundreds of organizations. A second attempt would run at the same time as the first. */
const CALL = { timeoutMs: 600_000, retries: 0 };
const SIGNS = { create: '+', update: '~', delete: '-' } as const;

const pruneOption = (): Option =>
  new Option(
    '--prune',
    'delete the items that a section of the file does not list, and unset the settings that it does not contain',
  );

export function addConfiguration(program: Command): void {
  const group = program
    .command('configuration')
    .description('the configuration of an organization and its descendants as a file: export, plan, apply, drift');
  subcommand(group, 'export', 'print the configuration as YAML, or with --json as JSON').action(
    async (_options: object, command: Command) => {
      const context = new Context(command);
      const document = await context.client.getConfiguration({ org: context.organization }, CALL);
      if (context.isJson) printJson(document);
      else print(stringify(document).trimEnd());
    },
  );
  subcommand(group, 'plan <file>', 'show what a file would change; - reads standard input', pruneOption()).action(
    async (file: string, { prune = false }: { prune?: boolean }, command: Command) => {
      const context = new Context(command);
      const plan = await planOf(context, documentIn(file), prune);
      showPlan(context, plan);
      if (plan.problems.length > 0) throw new CommandError('The plan has problems and can not be applied.', EXIT.refused);
    },
  );
  subcommand(
    group,
    'apply <file>',
    'make the changes of a plan',
    pruneOption(),
    new Option('--state <state>', 'only if the configuration is still as a plan with this state found it'),
    yesOption(),
  ).action(async (file: string, options: { prune?: boolean; state?: string; yes?: boolean }, command: Command) =>
    apply(new Context(command), documentIn(file), options),
  );
  subcommand(group, 'drift <file>', `compare with a file; exits with ${EXIT.refused} if anything differs`).action(
    async (file: string, _options: object, command: Command) => {
      const context = new Context(command);
      const plan = await planOf(context, documentIn(file), true);
      showPlan(context, plan);
      if (plan.changes.length + plan.problems.length + plan.unmanaged.length > 0)
        throw new CommandError('The configuration differs from the file.', EXIT.refused);
    },
  );
}

async function apply(
  context: Context,
  document: Document,
  { prune = false, state, yes }: { prune?: boolean; state?: string; yes?: boolean },
): Promise<void> {
  const plan = await planOf(context, document, prune);
  if (!context.isJson) showPlan(context, plan);
  // The service names the problems, also with --json.
  if (plan.changes.length > 0 && plan.problems.length === 0) await context.confirm('Apply these changes?', yes);
  const body = { document, prune, state: state ?? plan.state };
  const applied = await context.client.applyConfiguration({ org: context.organization, body }, CALL);
  context.done(`Made ${applied.changes.length} changes.`, applied);
}

const planOf = (context: Context, document: Document, prune: boolean): Promise<Plan> =>
  context.client.planConfiguration({ org: context.organization, body: { document, prune } }, CALL);

/** Reads a file in YAML or JSON and replaces references by variables of the environment. @throws CommandError */
function documentIn(file: string): Document {
  try {
    const document: unknown = parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
    return resolveReferences(document, process.env) as Document;
  } catch (error) {
    throw new CommandError(`Can't read ${file}: ${(error as Error).message}`);
  }
}

function showPlan(context: Context, plan: Plan): void {
  if (context.isJson) return printJson(plan);
  for (const change of plan.changes) for (const line of linesOf(change)) print(line);
  for (const { message, ...item } of plan.problems) print(`! ${nameOf(item)}: ${visible(message)}`);
  for (const item of plan.unmanaged) print(`? ${nameOf(item)}: not in the file`);
  const count = (action: Change['action']): number => plan.changes.filter((each) => each.action === action).length;
  print(`${count('create')} to create, ${count('update')} to update, ${count('delete')} to delete.`);
  note(`State: ${plan.state}`);
}

type Item = Pick<Change, 'organization' | 'section' | 'name'>;

const nameOf = ({ organization, section, name }: Item): string =>
  section === 'organization' ? visible(organization) : `${visible(organization)} ${section} "${visible(name)}"`;

function linesOf({ action, changes, affected = [], settings = [], ...item }: Change): string[] {
  const fields = Object.entries(changes).map(([field, { from, to }]) => `    ${field}: ${valueOf(from)} → ${valueOf(to)}`);
  const people = affected.map(({ by, count }) => `    concerns ${count} ${by}${count === 1 ? '' : 's'}`);
  const organizations = settings.flatMap(({ name, userCount, usersOutOfLine, changes: effective }) => {
    const lacking = Object.entries(usersOutOfLine).filter(([, count]) => count > 0);
    const rest = lacking.map(([rule, count]) => `, ${rule} ${count}`).join('');
    return [`    in ${visible(name)}: ${Object.keys(effective).join(', ')} (users ${userCount}${rest})`];
  });
  return [`${SIGNS[action]} ${nameOf(item)}`, ...fields, ...people, ...organizations];
}

const valueOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? visible(JSON.stringify(value)) : shown(value);
