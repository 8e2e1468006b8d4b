import { performance } from 'node:perf_hooks'
import type { HistoryFigures } from '../house/history-process.ts'
import { writeDemoWorld } from '../house/write-demo-world.ts'
import { type CommandContext, type ExitCode, runCommand } from './run-command.ts'

/** Started by the server: writes the history of the demo world, and sends its figures. */
async function write({ openDatabase }: CommandContext): Promise<ExitCode> {
  const startedMs = performance.now()
  const figures = await writeDemoWorld(await openDatabase(), Date.now())
  const seconds = (performance.now() - startedMs) / 1_000
  process.send?.({ ...(figures ?? { tokens: 0, trades: 0, bots: 0 }), seconds } satisfies HistoryFigures)
  return 0
}

// Exit with the server: what is not committed then never was. Undefined: not started as a child process.
process.once('disconnect', () => process.exit(2))
if (process.connected === false) process.exit(2)
process.channel?.unref()
await runCommand(write)
