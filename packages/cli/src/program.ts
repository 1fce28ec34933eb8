import { Command } from 'commander';
import { addCompletion } from './commands/completion.js';
import { addEvents } from './commands/events.js';
import { addKeys } from './commands/keys.js';
import { addListen } from './commands/listen.js';
import { addLogin } from './commands/login.js';
import { addOrganizations } from './commands/organizations.js';
import { addTrigger } from './commands/trigger.js';
import { addUsers } from './commands/users.js';
import { addWebhooks } from './commands/webhooks.js';
import { EXIT } from './failures.js';

/** All commands. */
export function makeProgram(version: string): Command {
  const program = new Command('identity-service')
    .description('The identity service on the command line.')
    .version(version)
    .option('-o, --organization <organization>', 'slug or id of the organization (IDENTITY_SERVICE_ORGANIZATION)')
    .option('--base-url <url>', 'where the service is (IDENTITY_SERVICE_BASE_URL)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The key is that of "login", or IDENTITY_SERVICE_API_KEY.
Exit codes: ${EXIT.refused} the service refused, ${EXIT.usage} wrong usage, ${EXIT.unauthenticated} no valid key, ${EXIT.notFound} not found, ${EXIT.unreachable} the service can't be reached.`,
    )
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();
  for (const add of [
    addLogin,
    addOrganizations,
    addUsers,
    addKeys,
    addWebhooks,
    addEvents,
    addListen,
    addTrigger,
    addCompletion,
  ]) {
    add(program);
  }
  return program;
}
