#!/usr/bin/env -S node --max-semi-space-size=64 --min-semi-space-size=32
import { parseArgs } from 'node:util'
import { type CommandContext, type ExitCode, runCommand, UsageError } from './commands/run-command.ts'

interface Command {
  readonly about: string
  /** Loads a command's code only when it is called, so that no command loads the modules of others. */
  load(): Promise<LoadedCommand>
}

interface LoadedCommand {
  readonly usage: string
  run(context: CommandContext, args: readonly string[]): Promise<ExitCode>
}

const commands: Readonly<Record<string, Command>> = {
  start: { about: 'starts the server', load: async () => ({ usage: START_USAGE, run: start }) },
  doctor: { about: 'says what is wrong, and which page helps', load: () => import('./commands/doctor.ts') },
  config: { about: 'prints every setting, and what is wrong with it', load: () => import('./commands/config.ts') },
  admin: { about: 'manages players, tokens and house bots', load: () => import('./commands/admin.ts') },
  audit: { about: 'replays the journal and compares every figure', load: () => import('./commands/audit.ts') },
  backup: { about: 'backs up the database and the pictures', load: () => import('./commands/backup.ts') },
  restore: { about: 'restores a backup', load: () => import('./commands/restore.ts') },
  upgrade: {
    about: 'backs up, then migrates the database to this version',
    load: () => import('./commands/upgrade.ts'),
  },
}

const USAGE = `Usage: papermoon COMMAND

${Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(8)} ${about}`)
  .join('\n')}

papermoon COMMAND --help says more. In a checkout: npm run COMMAND -- ARGUMENTS.`

const START_USAGE = `Usage: papermoon start

Starts the server with the settings of the environment (papermoon config shows them). SIGTERM or Ctrl-C stops it.
In a checkout, npm start installs and builds first.`

await main(process.argv.slice(2))

/** Runs the operators' program. Each process executes only one command. */
async function main(argv: readonly string[]): Promise<void> {
  const options = { help: { type: 'boolean', short: 'h' } } as const
  const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: false })
  const [name = 'help'] = positionals
  const args = argv.slice(argv.indexOf(name) + 1)
  if (name === 'start' && args.length === 0) await import('./server.ts')
  else await runCommand((context) => runNamed(name, { args, isHelp: values.help === true, context }))
}

async function runNamed(
  name: string,
  { args, isHelp, context }: { args: readonly string[]; isHelp: boolean; context: CommandContext },
): Promise<ExitCode> {
  if (name === 'help') {
    context.say(USAGE)
    return isHelp ? 0 : 2
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    throw new UsageError(`There is no command ${name}; there are ${Object.keys(commands).join(', ')}.`)
  }
  const { usage, run } = await command.load()
  if (!isHelp) return await run(context, args)
  context.say(usage)
  return 0
}

async function start(): Promise<ExitCode> {
  throw new UsageError(START_USAGE)
}
