import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from './command-error.ts'

/** Parses a command's options and positional arguments. Throws `UsageError` with `usage` for an unknown option. */
export function parseArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch {
    throw new UsageError(usage)
  }
}
