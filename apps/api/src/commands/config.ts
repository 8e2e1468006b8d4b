import { describeSettings, type ShownSetting, showSettings, UNUSED_SETTINGS } from '../config.ts'
import { type CommandContext, type ExitCode, UsageError } from './run-command.ts'

export const usage = `Usage: papermoon config [--markdown]

Prints every setting with its value and where it comes from: the environment, or the default. Secrets are hidden.
Exit code 1: a setting cannot be used. docs/operations/settings.md says what each one means.
--markdown prints that page.`

export async function run({ say, write }: CommandContext, args: readonly string[]): Promise<ExitCode> {
  if (args.length === 1 && args[0] === '--markdown') {
    write(toPage())
    return 0
  }
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

/** Returns the page docs/operations/settings.md. */
export function toPage(): string {
  const rows = describeSettings().map(({ name, fallback, meaning }) => {
    return `| \`${name}\` | ${fallback === null ? '–' : `\`${fallback}\``} | ${meaning} |`
  })
  return `# Settings

All settings are environment variables, and none is required. If a value is invalid, the server does not start and names
the setting. \`npm run --silent config -- --markdown\` prints this page.

| variable | default | meaning |
|---|---|---|
${rows.join('\n')}

These settings of earlier versions no longer have any effect. \`S3_URL\`, \`BACKUP_S3_URL\` and \`METRICS_TOKEN\` replace
those of S3 and \`METRICS\`. At the start, the server names each of these settings that is set:

${list(UNUSED_SETTINGS)}
`
}

function list(names: readonly string[]): string {
  return names.map((name) => `- \`${name}\``).join('\n')
}
