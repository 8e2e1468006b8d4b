import { performance } from 'node:perf_hooks'
import type { HistoryFigures } from '../house/demo-keeper.ts'
import { writeDemoWorld } from '../house/write-demo-world.ts'
import { type CommandContext, type ExitCode, runChildCommand } from './run-command.ts'

/** Writes the history of the demo world, and sends a summary to the server. The server starts this command. */
async function write({ openDatabase }: CommandContext): Promise<ExitCode> {
  const startedMs = performance.now()
  const figures = await writeDemoWorld(await openDatabase(), Date.now())
  const seconds = (performance.now() - startedMs) / 1_000
  process.send?.({ ...(figures ?? { tokens: 0, trades: 0, bots: 0 }), seconds } satisfies HistoryFigures)
  return 0
}

// The command can stop at once with the server, because its work is visible only after a commit.
await runChildCommand(write, { isUrgent: true })
