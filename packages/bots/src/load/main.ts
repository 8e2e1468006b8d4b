/** `npm run bots`: trades on a Papermoon server with many players and measures its responses. */
import { LoadError, parseLoadArguments, USAGE, UsageError } from './arguments.ts'
import { runCommand } from './run-command.ts'

const closing = new AbortController()

// The first signal ends the load test and prints its report. The second signal ends the program.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => (closing.signal.aborted ? process.exit(130) : closing.abort()))
}
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  const args = parseLoadArguments(process.argv.slice(2))
  if (args === null) process.stdout.write(USAGE)
  else await runCommand(args, { signal: closing.signal, out: process.stdout, err: process.stderr })
} catch (error) {
  const isExpected = error instanceof UsageError || error instanceof LoadError
  process.stderr.write(`${isExpected ? error.message : Object(error).stack}\n`)
  if (error instanceof UsageError) process.stderr.write('npm run bots -- --help explains the options.\n')
  process.exitCode = 1
}
process.exit()
