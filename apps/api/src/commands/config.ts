import { type ShownSetting, showSettings } from '../config.ts'
import { UsageError } from './command-error.ts'
import type { CommandContext, ExitCode } from './run-command.ts'

export const usage = `Usage: papermoon config

Prints every setting with its value and where it comes from: the environment, or the default. Secrets are hidden.
Exit code 1: a setting cannot be used. docs/operations/settings.md says what each one means.`

export async function run({ say }: CommandContext, args: readonly string[]): Promise<ExitCode> {
  if (args.length > 0) throw new UsageError(usage)
  const settings = showSettings()
  const width = Math.max(...settings.map(({ name }) => name.length))
  for (const setting of settings) say(`${setting.name.padEnd(width)}  ${describe(setting)}`)
  return settings.some(({ issue }) => issue !== null) ? 1 : 0
}

function describe({ value, from, issue }: ShownSetting): string {
  const wrong = issue === null ? '' : `  WRONG: ${issue}`
  return `${value ?? '–'}  (${from})${wrong}`
}
