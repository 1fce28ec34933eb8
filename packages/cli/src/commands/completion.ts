import { Argument, type Command } from 'commander';
import { print } from '../output.js';

const NAME = 'identity-service';

/** The shell scripts call the program, so that suggestions always match its commands and options. */
const SCRIPTS = {
  bash: `_identity_service() {
  mapfile -t COMPREPLY < <(${NAME} __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _identity_service ${NAME}`,
  zsh: `#compdef ${NAME}
_identity_service() {
  local -a candidates
  candidates=("\${(@f)$(${NAME} __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a candidates
}
compdef _identity_service ${NAME}`,
  fish: `function __identity_service
  set -l words (commandline -opc) (commandline -ct)
  ${NAME} __complete -- $words[2..-1] 2>/dev/null
end
complete -c ${NAME} -f -a '(__identity_service)'`,
} as const;

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
bash: ${NAME} completion bash >> ~/.bashrc
zsh:  ${NAME} completion zsh >> ~/.zshrc (after "autoload -U compinit; compinit")
fish: ${NAME} completion fish > ~/.config/fish/completions/${NAME}.fish`,
    )
    .action((shell: keyof typeof SCRIPTS) => print(SCRIPTS[shell]));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      for (const candidate of candidatesFor(program, words)) print(candidate);
    });
}

/** Returns the words that can replace the last word. */
export function candidatesFor(program: Command, words: readonly string[]): string[] {
  const lastWord = words.at(-1) ?? '';
  let [command, optionValues]: [Command, readonly string[] | undefined] = [program, undefined];
  let position = 0;
  for (const word of words.slice(0, -1)) {
    if (optionValues) optionValues = undefined;
    else if (word.startsWith('-')) optionValues = valuesAfter(command, word);
    else {
      const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
      if (next) command = next;
      else position += 1;
    }
  }
  const candidates =
    optionValues ??
    (lastWord.startsWith('-') ? optionsOf(command) : [...subcommandsOf(command), ...argumentChoices(command, position)]);
  return candidates.filter((each) => each.startsWith(lastWord));
}

/** Returns the allowed values of an option, or undefined if the word is not an option with a value. */
function valuesAfter(command: Command, word: string): readonly string[] | undefined {
  const option = withParents(command)
    .flatMap(({ options }) => options)
    .find(({ long, short }) => word === long || word === short);
  return option && (option.required || option.optional) ? (option.argChoices ?? []) : undefined;
}

const optionsOf = (command: Command): string[] => [
  ...withParents(command).flatMap(({ options }) => options.filter(({ hidden }) => !hidden).map(({ long }) => long!)),
  '--help',
];

const subcommandsOf = (command: Command): string[] =>
  command.commands.map((each) => each.name()).filter((name) => !name.startsWith('__'));

const argumentChoices = (command: Command, position: number): readonly string[] =>
  command.registeredArguments[position]?.argChoices ?? [];

const withParents = (command: Command): Command[] => (command.parent ? [command, ...withParents(command.parent)] : [command]);
