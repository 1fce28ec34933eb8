import { Command } from 'commander';
import { addCompletion } from './commands/completion.js';
import { addConfiguration } from './commands/configuration.js';
import { addEvents } from './commands/events.js';
import { addKeys } from './commands/keys.js';
import { addListen } from './commands/listen.js';
import { addCredentialCommands } from './commands/login.js';
import { addOrganizations } from './commands/organizations.js';
import { addTrigger } from './commands/trigger.js';
import { addUsers } from './commands/users.js';
import { addWebhooks } from './commands/webhooks.js';
import { EXIT } from './failures.js';

export function makeProgram(version: string): Command {
  const program = new Command('identity-service')
    .description('Command line interface of the identity service.')
    .version(version)
    .option('-o, --organization <organization>', 'organization by slug or id (IDENTITY_SERVICE_ORGANIZATION)')
    .option('--base-url <url>', 'URL of the service (IDENTITY_SERVICE_BASE_URL)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Commands use the sign-in or API key stored by "login", or IDENTITY_SERVICE_API_KEY.
Exit codes: ${EXIT.refused} request rejected, ${EXIT.usage} invalid usage, ${EXIT.unauthenticated} not signed in and no valid API key, ${EXIT.notFound} not found, ${EXIT.unreachable} service unreachable.`,
    )
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();
  for (const add of [
    addCredentialCommands,
    addOrganizations,
    addUsers,
    addKeys,
    addWebhooks,
    addConfiguration,
    addEvents,
    addListen,
    addTrigger,
    addCompletion,
  ]) {
    add(program);
  }
  return program;
}
